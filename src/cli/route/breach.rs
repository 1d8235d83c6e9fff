//! `route --breach`: if there is no route, the fewest blocked cells to open for one.

use std::io::{self, Write};

use emberwalk_map::Map;
use emberwalk_map::diagnostics::counted;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Breach, Planner, Route};
use serde::Serialize;

use super::answer::{Answer, Report, print_cells};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::output::print_json;
use crate::cli::planning_args::query_error;

#[derive(Serialize)]
struct BreachReport<'a> {
    #[serde(flatten)]
    report: Report<'a>,
    breach: Option<Vec<Cell>>,
    opened_cost: Option<f64>,
}

/// Prints the answer to a query, with the cells to open if it has no route.
pub fn print(out: &mut impl Write, answer: &Answer<'_>, json: bool) -> Result<ExitStatus, CliError> {
    let breach = match answer.route {
        Some(route) => Some(Breach { opened: Vec::new(), route: Route::from(route) }),
        None => find(answer)?,
    };
    if json {
        let opened_cost = breach.as_ref().map(|breach| breach.route.cost.tiles());
        let breach = breach.map(|breach| breach.opened);
        print_json(out, &BreachReport { report: answer.report(), breach, opened_cost })?;
    } else {
        answer.print(out, false)?;
        print_breach(out, answer.map, breach.as_ref())?;
    }
    Ok(answer.status())
}

fn find(answer: &Answer<'_>) -> Result<Option<Breach>, CliError> {
    let Answer { map, query, .. } = answer;
    let opened_costs = map.opened_costs();
    Planner::new().breach(map.costs(), query, |cell| opened_costs.get(cell)).map_err(query_error(map))
}

/// Prints the cells to open, for people.
fn print_breach(out: &mut impl Write, map: &Map, breach: Option<&Breach>) -> io::Result<()> {
    let Some(Breach { opened, route }) = breach else {
        return writeln!(out, "opening blocked cells would not create a route");
    };
    if opened.is_empty() {
        return writeln!(out, "\nno cell has to be opened");
    }
    let cells = counted(opened.len(), "cell");
    let steps = counted(route.steps(), "step");
    writeln!(out, "opening {cells} would create a route with cost {:.3} and {steps}:\n", route.cost)?;
    for cell in opened {
        let terrain = map.blocking_terrain(*cell).map_or("", |terrain| &terrain.name);
        writeln!(out, "{:>10}  {terrain}", cell.to_string())?;
    }
    print_cells(out, &route.cells)
}
