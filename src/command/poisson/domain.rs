//! Boundary conditions on the command line.

use std::fmt;
use std::str::FromStr;

use crate::bolz2003::grid::geometry::{Boundary, Sides};
use crate::nearest::suggestion;

/// The conditions on the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions(pub Sides);

impl Conditions {
    /// Left, right, bottom, top.
    pub fn names(&self) -> [&'static str; 4] {
        self.0.each().map(|side| match side {
            Boundary::Dirichlet => "dirichlet",
            Boundary::Neumann => "neumann",
            Boundary::Periodic => "periodic",
        })
    }
}

impl Default for Conditions {
    fn default() -> Self {
        Conditions(Sides::all(Boundary::Dirichlet))
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        if names.iter().all(|name| *name == names[0]) {
            formatter.write_str(names[0])
        } else {
            formatter.write_str(&names.join(","))
        }
    }
}

impl FromStr for Conditions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides: Vec<Boundary> = text.split(',').map(side).collect::<Result<_, _>>()?;
        match sides[..] {
            [all] => Ok(Conditions(Sides::all(all))),
            [left, right, bottom, top] => Ok(Conditions(Sides::new([left, right, bottom, top]))),
            _ => Err("give one condition, or four: left,right,bottom,top".to_owned()),
        }
    }
}

fn side(name: &str) -> Result<Boundary, String> {
    match name {
        "dirichlet" | "d" => Ok(Boundary::Dirichlet),
        "neumann" | "n" => Ok(Boundary::Neumann),
        "periodic" | "p" => Ok(Boundary::Periodic),
        _ => Err(format!(
            "{}give dirichlet, neumann or periodic (d, n or p) for all sides, or for left,right,bottom,top",
            suggestion(name, &["dirichlet", "neumann", "periodic"])
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_one_or_four() {
        let mixed: Conditions = "d,neumann,n,dirichlet".parse().unwrap();
        assert_eq!(mixed.0.right, Boundary::Neumann);
        assert_eq!(mixed.0.top, Boundary::Dirichlet);
        assert_eq!(mixed.to_string().parse(), Ok(mixed));
        assert_eq!("dirichlet".parse(), Ok(Conditions::default()));
        for bad in ["", "d,n", "d,n,d,n,d", "robin"] {
            assert!(bad.parse::<Conditions>().is_err(), "{bad}");
        }
        let slip = "neuman".parse::<Conditions>().unwrap_err();
        assert!(slip.starts_with("did you mean neumann?"), "{slip}");
    }
}
