//! A made-up order book of any size: the same bytes each time.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};
use timed::timed;

const SEED: u64 = 1910;
const WORDS: [&str; 12] = [
    "amber", "basalt", "cedar", "dune", "ember", "fjord", "granite", "harbour", "iris", "juniper",
    "kelp", "larch",
];

/// Writes an array of orders that is a little over `bytes` long.
#[timed]
pub(crate) fn write(path: &Path, bytes: usize) -> io::Result<()> {
    let mut random = Random(SEED);
    let mut out = BufWriter::new(File::create_new(path)?);
    let mut separator = b"[\n";
    let mut written = 0;
    for id in 0.. {
        let order = order(id, &mut random).to_string();
        out.write_all(separator)?;
        out.write_all(order.as_bytes())?;
        written += order.len() + separator.len();
        separator = b",\n";
        if written >= bytes {
            break;
        }
    }
    out.write_all(b"\n]\n")?;
    out.flush()
}

#[timed]
fn order(id: u64, random: &mut Random) -> Value {
    let items: Vec<_> = (0..=random.below(12)).map(|_| item(random)).collect();
    json!({
        "id": id,
        "customer": {
            "name": text(random, 2),
            "password": text(random, 1),
            "address": {
                "street": text(random, 3),
                "number": random.below(200),
                "country": (random.below(3) == 0).then_some("IS"),
            },
        },
        "items": items,
        "token": format!("{:016x}", random.draw()),
        "paid": random.below(2) == 0,
        "remarks": [text(random, 8), null, text(random, 5)],
    })
}

fn item(random: &mut Random) -> Value {
    json!({
        "article": text(random, 2),
        "count": 1 + random.below(9),
        "price": random.below(100_000) as f64 / 100.0,
        "discount": null,
        "tags": [text(random, 1), text(random, 1)],
    })
}

/// Some words, now and then with more space between them than there should be.
fn text(random: &mut Random, words: usize) -> String {
    let mut text = String::new();
    for _ in 0..words {
        let word = WORDS[random.below(WORDS.len() as u64) as usize];
        text.push_str(word);
        text.push_str(if random.below(8) == 0 { " \t " } else { " " });
    }
    if random.below(4) > 0 {
        text.truncate(text.trim_end().len());
    }
    text
}

/// `SplitMix64`: enough randomness for a sample, and no crate.
struct Random(u64);

impl Random {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound
    }
}
