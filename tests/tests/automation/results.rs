//! The plot of `benches/RESULTS.md`, drawn from the figures in its tables. After a change,
//! `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test automation results` draws it again.

use crate::checkout::{root, text};
use expect_test::expect_file;
use std::fmt::Write as _;

/// What was measured, what it is next to, and the smallest and largest ratio of the time.
struct Bar {
    what: String,
    peer: String,
    ratio: [f64; 2],
}

/// Reads the tables that have a column `next to`; all columns after it are ratios.
fn bars(page: &str) -> Vec<Bar> {
    let cells = |line: &str| -> Option<Vec<String>> {
        let row = line.strip_prefix('|')?.strip_suffix('|')?;
        Some(row.split('|').map(|cell| cell.trim().replace('`', "")).collect())
    };
    let (mut bars, mut header) = (Vec::new(), None);
    for line in page.lines() {
        let Some(row) = cells(line) else {
            header = None;
            continue;
        };
        let Some(header) = header.as_ref() else {
            header = Some(row);
            continue;
        };
        if header.get(1).is_none_or(|cell| cell != "next to") || row[0].starts_with('-') {
            continue;
        }
        for (column, cell) in row.iter().enumerate().skip(2) {
            let numbers: Vec<f64> =
                cell.split(" to ").map(|number| number.parse().unwrap()).collect();
            let what = match header[column].as_str() {
                "ratio" => row[0].clone(),
                profile => format!("{}, {profile}", row[0]),
            };
            let ratio = [numbers[0], numbers[numbers.len() - 1]];
            bars.push(Bar { what, peer: row[1].clone(), ratio });
        }
    }
    bars
}

/// Draws the ratios on a logarithmic scale from a tenth to ten times.
fn plot(bars: &[Bar]) -> String {
    const LEFT: f64 = 470.0;
    const WIDTH: f64 = 330.0;
    const TOP: f64 = 44.0;
    const STEP: f64 = 34.0;
    let x = |ratio: f64| LEFT + (ratio.log10() + 1.0) / 2.0 * WIDTH;
    let mut height = TOP;
    let mut body = String::new();
    for Bar { what, peer, ratio: [least, most] } in bars {
        let class = if *most <= 1.0 { "less" } else { "more" };
        let (from, to) = if *most <= 1.0 { (x(*least), x(1.0)) } else { (x(1.0), x(*most)) };
        let figure = match least == most {
            true => format!("{most}"),
            false => format!("{least} to {most}"),
        };
        let (label, end) = if *most <= 1.0 { (from - 6.0, "end") } else { (to + 6.0, "start") };
        let (row, note) = (height + 14.0, height + 27.0);
        let _ = writeln!(
            body,
            "<text x=\"10\" y=\"{row}\">{what}</text>\
             <text x=\"10\" y=\"{note}\" class=\"note\">next to {peer}</text>\
             <rect x=\"{from:.1}\" y=\"{height}\" width=\"{:.1}\" height=\"18\" class=\"{class}\"/>\
             <text x=\"{label:.1}\" y=\"{row}\" text-anchor=\"{end}\">{figure}</text>",
            to - from
        );
        height += STEP;
    }
    let mut axis = String::new();
    let labels = ["0.1", "0.5", "1", "2", "10 times"];
    for (ratio, label) in [0.1, 0.5, 1.0, 2.0, 10.0].into_iter().zip(labels) {
        let x = x(ratio);
        let _ = writeln!(
            axis,
            "<path d=\"M{x:.1} 34V{height}\"/><text x=\"{x:.1}\" y=\"24\" text-anchor=\"middle\" class=\"note\">{label}</text>"
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"880\" height=\"{0}\" viewBox=\"0 0 880 {0}\">\n\
         <title>The time that Helix Skills takes next to its peers</title>\n\
         <style>text{{font:13px system-ui,sans-serif;fill:#1f2328}}.note{{font-size:11px;fill:#59636e}}\
         .page{{fill:#fff}}path{{stroke:#d1d9e0}}.less{{fill:#4ac26b}}.more{{fill:#d4a72c}}\
         @media(prefers-color-scheme:dark){{text{{fill:#f0f6fc}}.note{{fill:#9198a1}}.page{{fill:#0d1117}}\
         path{{stroke:#3d444d}}.less{{fill:#2ea043}}.more{{fill:#9e6a03}}}}</style>\n\
         <rect class=\"page\" width=\"880\" height=\"{0}\"/>\n\
         <text x=\"10\" y=\"24\" class=\"note\">Time in proportion to the peer's; less is better</text>\n{axis}{body}</svg>\n",
        height + 10.0
    )
}

#[test]
fn plot_of_the_results_has_the_figures_of_the_tables() {
    let bars = bars(&text("benches/RESULTS.md"));
    assert!(bars.len() >= 12, "{} ratios", bars.len());
    expect_file![root().join("benches/results.svg")].assert_eq(&plot(&bars));
}
