//! What to type: to see a claim checked again, and to do the same with an input of one's own.

/// The command that checks a claim again, with these inputs.
pub fn again(claim: &str, quick: bool, inputs: &str) -> String {
    let quick = if quick { " --quick" } else { "" };
    let space = if inputs.is_empty() { "" } else { " " };
    format!("fragstream reproduce {claim}{quick}{space}{inputs}")
}

/// The user's command behind a claim, if there is one: it runs the same programs.
pub fn behind(claim: &str) -> Option<&'static str> {
    let (paper, name) = claim.split_once('/')?;
    match paper {
        "bolz2003" => bolz2003(name),
        "kruger2003" => kruger2003(name),
        "goodnight2003" => goodnight2003(name),
        "batty2003" => Some(batty2003(name)),
        "geveler2011" => Some(geveler2011(name)),
        "card" => Some("fragstream card --png cards.png"),
        _ => None,
    }
}

fn bolz2003(name: &str) -> Option<&'static str> {
    Some(match name {
        "fig4-cube" | "fig4-scan" | "entries" => "fragstream smooth scan.ply out.ply --steps 10",
        "rows200" | "padding" => "fragstream solve A.mtx --layout rows --ledger",
        "rectangle" | "one-batch" | "fig3" => "fragstream solve A.mtx --rect 26x18 --ledger",
        "fig3-measured" => "fragstream solve A.mtx --rect auto",
        "vcycle" | "galerkin" | "layering" | "batch" | "batch-measured" => {
            "fragstream poisson --refine 0 --history h.csv --ledger"
        }
        "periodic" => "fragstream poisson --boundary periodic",
        "fmg" | "order-n" => "fragstream poisson --cycle fmg",
        "fig5" => "fragstream fluid --steps 600 --gif jet.gif",
        "timestep" | "timestep-fused" => "fragstream fluid --size 513x513 --steps 20 --ledger",
        "instructions" | "theory" => "fragstream smooth scan.ply out.ply --ledger=json",
        "offset-fetches" => "fragstream solve A.mtx --layout rows --ledger=json",
        "transpose" => "fragstream solve A.mtx --method bicg --layout rows --refine 0",
        "smoothing-step" | "switches" => "fragstream smooth scan.ply out.ply --steps 1 --ledger",
        "rates" | "cpu" | "four-channels" | "access" => "fragstream bench bolz2003",
        _ => return None,
    })
}

fn kruger2003(name: &str) -> Option<&'static str> {
    Some(match name {
        "cg" | "cg-two-sums" => {
            "fragstream solve A.mtx --method cg --layout diagonals --refine 0 --history h.csv"
        }
        "gauss-seidel" | "gauss-seidel-vertices" => {
            "fragstream solve A.mtx --method gauss-seidel --layout points"
        }
        "matvec-tiled" => "fragstream layouts A.mtx --layouts columns",
        "diagonals-a-pass" | "in-place" => "fragstream layouts A.mtx --layouts diagonals",
        "vertices" => "fragstream layouts A.mtx --layouts points,diagonals",
        "wave" | "wave-iteration" | "wave-sizes" => "fragstream water --gif waves.gif",
        "fig1" => "fragstream water --png water.png",
        "fig6" => "fragstream water --size 512x512 --png water.png",
        "fig7" => "fragstream view water --size 1024x1024",
        "fig8" | "nse" | "nse-vortex" | "nse-rate" => "fragstream navier-stokes --gif dye.gif",
        "nse-cavity" => "fragstream navier-stokes --scene cavity --reynolds 100 --gif lid.gif",
        "transpose" | "layouts" | "matvec" | "tex1d" | "rgba" | "reduce" | "ops" | "vecmul"
        | "gap" => "fragstream bench kruger2003",
        "precision" => "fragstream card --precision",
        _ => return None,
    })
}

fn goodnight2003(name: &str) -> Option<&'static str> {
    Some(match name {
        "heat" | "boundary" | "boundary-map" => "fragstream heat plate.toml --out T.png",
        "tonemap" => "fragstream tonemap room.hdr room.png",
        "wing" | "wing-lift" | "wing-polar" | "wing-potential" | "wing-street" => {
            "fragstream wing --heave 0.4,0.3 --gif wing.gif"
        }
        "half" => "fragstream heat --precision half --refine 0",
        "finish" | "fig4" | "fig4-memory" => "fragstream heat --storage two --ledger",
        "fig7" => "fragstream heat --test occlusion --ledger",
        "fig6" => "fragstream heat --compute-red-black --ledger",
        "table1" | "table1-registers" | "fig2" => {
            "fragstream heat --programs original --ledger=json"
        }
        "fig5" => "fragstream heat --storage one --ledger",
        "fig3" | "fig3-ours" | "bandwidth" | "bandwidth-memory" => "fragstream bench goodnight2003",
        "agree" | "agree-ours" => "fragstream heat --rtol 1e-6 --refine 0",
        _ => return None,
    })
}

fn batty2003(name: &str) -> &'static str {
    match name {
        "ic" | "ic-cost" => "fragstream liquid --preconditioner mic --history h.csv",
        "product" | "operations" | "table" | "fig2" | "appendix-a" => "fragstream bench batty2003",
        _ => "fragstream liquid --steps 100 --gif dam.gif --ledger",
    }
}

fn geveler2011(name: &str) -> &'static str {
    match name {
        "numbering" | "ordering" | "sto-cycles" | "divergence" => {
            "fragstream fem blood --numbering sto"
        }
        "ellpack" | "memory" => "fragstream solve A.mtx --layout ellpack-r --ledger",
        "table2" | "table3" | "table4" => "fragstream bench geveler2011",
        "precision" => "fragstream fem circle --precision single --history h.csv",
        _ => "fragstream fem circle --element q2 --out u.vtu",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_checked_again_by_its_own_name() {
        let line = "fragstream reproduce bolz2003/fig5 --quick";
        assert_eq!(again("bolz2003/fig5", true, ""), line);
        assert_eq!(
            again("bolz2003/fig5", true, "--size 65x33"),
            "fragstream reproduce bolz2003/fig5 --quick --size 65x33"
        );
        assert_eq!(
            behind("bolz2003/fig5"),
            Some("fragstream fluid --steps 600 --gif jet.gif")
        );
        assert_eq!(behind("stam1999"), None);
    }
}
