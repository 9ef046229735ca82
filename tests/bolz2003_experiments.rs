use fragstream::bolz2003::experiments::experiments;
use fragstream::experiment::{Options, Report};
use fragstream::stream::Machine;

#[test]
#[ignore]
fn explore() {
    let mut machine = Machine::headless().unwrap();
    let out = std::path::PathBuf::from("/tmp/exps_report");
    let full = std::env::var("FULL").is_ok();
    let only = std::env::var("ONLY").unwrap_or_default();
    let options = Options { quick: !full, out: out.clone() };
    let mut report = Report::default();
    for e in experiments().iter().filter(|e| e.id.contains(&only)) {
        let start = std::time::Instant::now();
        let found = e.perform(&mut machine, &options);
        println!("== {} {:.1} s", e.id, start.elapsed().as_secs_f64());
        for f in &found {
            println!("{} | {} | {}\n   {}", f.claim.id, f.verdict, f.measured, f.why);
            for g in &f.figures { println!("   {} {} kB: {}", g.file, g.png.len()/1024, g.caption); }
        }
        report.findings.extend(found);
    }
    report.write(&out).unwrap();
}
