//! The orders that have changed the world in this frame, in their order. They are recorded, unless the world is that of a
//! recording.

use bevy::prelude::*;

use emberwalk_world::Order;

/// The orders of this frame, at the time at which it began.
#[derive(Resource, Debug, Default)]
pub(in crate::game) struct WorldOrders(Vec<Order>);

/// A recording is played in place of the game.
#[derive(Resource, Clone, Copy, Debug)]
pub(in crate::game) struct IsReplay;

impl WorldOrders {
    /// Takes note of an order that is being carried out.
    pub fn note(&mut self, order: Order) {
        self.0.push(order);
    }

    /// Takes all orders.
    pub fn drain(&mut self) -> impl Iterator<Item = Order> {
        self.0.drain(..)
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<WorldOrders>();
}
