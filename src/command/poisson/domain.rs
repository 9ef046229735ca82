//! Sizes and boundary conditions on the command line.

use std::fmt;
use std::str::FromStr;

use fragstream::bolz2003::grid::{Boundary, Sides};

use super::super::nearest::nearest;

/// Columns and rows of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [usize; 2]);

impl Default for Size {
    fn default() -> Self {
        Size([257, 257])
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size([columns, rows]) = self;
        write!(formatter, "{columns}x{rows}")
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Textures are far from so large; sums and products of these do not overflow.
        let side = |text: &str| text.parse::<u32>().ok().map(|side| side as usize);
        text.split_once(['x', '×'])
            .and_then(|(columns, rows)| Some(Size([side(columns)?, side(rows)?])))
            .ok_or_else(|| "give columns and rows of nodes, as in 257x257".to_owned())
    }
}

/// The conditions on the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions(pub Sides);

impl Conditions {
    /// Left, right, bottom, top.
    pub fn names(&self) -> [&'static str; 4] {
        let Sides {
            left,
            right,
            bottom,
            top,
        } = self.0;
        [left, right, bottom, top].map(|side| match side {
            Boundary::Dirichlet => "dirichlet",
            Boundary::Neumann => "neumann",
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
            [left, right, bottom, top] => Ok(Conditions(Sides {
                left,
                right,
                bottom,
                top,
            })),
            _ => Err("give one condition, or four: left,right,bottom,top".to_owned()),
        }
    }
}

fn side(name: &str) -> Result<Boundary, String> {
    match name {
        "dirichlet" | "d" => Ok(Boundary::Dirichlet),
        "neumann" | "n" => Ok(Boundary::Neumann),
        _ => {
            let meant = match nearest(name, &["dirichlet", "neumann"]).first() {
                Some(near) => format!("did you mean {near}? "),
                None => String::new(),
            };
            Err(format!(
                "{meant}give dirichlet or neumann (d or n) for all sides, or for \
                 left,right,bottom,top"
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_columns_and_rows() {
        assert_eq!("513x129".parse(), Ok(Size([513, 129])));
        assert_eq!(Size::default().to_string().parse(), Ok(Size::default()));
        for bad in ["", "257", "x", "257x", "-1x3", "1e3x5", "99999999999x5"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }

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
