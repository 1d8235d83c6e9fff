//! Names of option values as they are written on a command line.

/// The error for a name that is not the name of any value of an option.
///
/// ```
/// use emberwalk_path::Algorithm;
/// let error = "a*".parse::<Algorithm>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown algorithm 'a*'; known are auto, astar"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{name}'; known are {known}")]
pub struct UnknownName {
    pub(crate) what: &'static str,
    pub(crate) name: String,
    pub(crate) known: String,
}

/// Implements the names of an enum: `NAMES`, `as_str`, `Display` and `FromStr`.
macro_rules! named {
    ($type:ident, $what:literal, $($value:expr => $name:literal),+ $(,)?) => {
        impl $type {
            /// Every value with its name, the default first.
            pub const NAMES: &[(&str, Self)] = &[$(($name, $value)),+];

            /// The name as it is written on a command line.
            pub fn as_str(self) -> &'static str {
                let same = |&&(_, value): &&(_, Self)| std::mem::discriminant(&value) == std::mem::discriminant(&self);
                Self::NAMES.iter().find(same).expect("every value has a name").0
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::names::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let found = Self::NAMES.iter().find(|(other, _)| *other == name);
                found.map(|&(_, value)| value).ok_or_else(|| {
                    let known = Self::NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
                    $crate::names::UnknownName { what: $what, name: name.into(), known }
                })
            }
        }
    };
}
pub(crate) use named;
