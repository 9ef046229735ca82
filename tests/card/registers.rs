//! Registers by hand, and beside the least number of small programs.

use proptest::prelude::*;

use fragstream::card::count::count;

use crate::card::count::counted;

fn registers(body: &str) -> u32 {
    counted(body).registers
}

#[test]
fn inputs_constants_and_results_are_no_temporaries() {
    assert_eq!(registers("result = fetch(x, here);"), 0);
    assert_eq!(registers("result = a * here.x + 2.0;"), 1); // the second constant
    assert_eq!(registers("result = max(a, here.x);"), 0);
    // What is copied stands in a register first.
    assert_eq!(registers("result = -fetch(x, here);"), 1);
    assert_eq!(registers("result = vec4(a.x * s, b.yzw * s);"), 1);
}

#[test]
fn a_sum_of_two_products_of_fetches_takes_three() {
    // One product stands in a register, both factors of the other beside it.
    let sum = "result = fetch(x, a.xy) * fetch(x, b.xy) + fetch(x, c.xy) * fetch(y, here);";
    assert_eq!(registers(sum), 3);
}

#[test]
fn values_share_a_register_as_far_as_their_channels_fit() {
    // A position that is an input takes no room.
    let scalar = |n: usize| {
        let position = ["xy", "yz", "zw", "wx", "xz", "yw", "zx", "wy"][n];
        format!("fetch(x, a.{position}).{}", ["x", "y", "z", "w"][n % 4])
    };
    let four = |n| format!("vec4({})", [n, n + 1, n + 2, n + 3].map(scalar).join(", "));
    assert_eq!(registers(&format!("result = vec4(dot({}, c));", four(0))), 1);
    assert_eq!(registers(&format!("result = vec4(dot({}, {}));", four(0), four(4))), 2);
    // Widths 3 and 1; 3 and 2, which would have to be torn.
    let wide = "vec3 w = fetch(x, a.xy).xyz;";
    assert_eq!(registers(&format!("{wide} result = vec4(w * fetch(y, b.xy).w, 0.0);")), 1);
    let torn = "vec2 p = fetch(y, b.xy).xy;";
    assert_eq!(registers(&format!("{wide} {torn} result = vec4(dot(w, p.xyx));")), 2);
}

#[test]
fn a_channel_is_free_after_its_last_use_and_a_copy_to_the_result_does_not_wait() {
    // Only w of the first record is still alive when the others come, of which one is 3 wide.
    let body = "vec4 f = fetch(x, here); vec3 g = fetch(y, f.xy).xyz; \
                result = vec4(f.xy, f.z, dot(g, g) * f.w);";
    assert_eq!(registers(body), 1);
}

#[test]
fn what_another_instruction_does_along_with_its_own_work_takes_no_register() {
    let both = "vec4 p = fetch(x, a.xy); vec4 q = fetch(y, b.xy);";
    assert_eq!(registers(&format!("{both} result = clamp(p + q, 0.0, 1.0);")), 2);
    assert_eq!(registers(&format!("{both} result = p * q + c;")), 2);
    // A fetch sets the condition code itself; what is compared with another number stands in a register.
    let select =
        |with: &str| format!("float t = fetch(x, c.xy).x; {both} result = t < {with} ? p : q;");
    assert_eq!(registers(&select("0.0")), 2);
    assert_eq!(registers(&select("s")), 3);
}

#[test]
fn a_kill_reads_and_leaves_nothing() {
    let kill = "if (fetch(x, a.xy).x < 0.0) discard;";
    assert_eq!(registers(&format!("{kill} result = fetch(y, here);")), 0); // the condition code
    let kill = "if (fetch(x, a.xy).x * 2.0 < fetch(y, a.zw).y) discard;";
    assert_eq!(registers(&format!("{kill} result = fetch(y, here);")), 1);
}

/// A program whose values are all four wide: value `n` is a record or mixes two earlier ones.
#[derive(Debug, Clone)]
struct Mixes(Vec<Option<[usize; 2]>>);

impl Mixes {
    fn text(&self) -> String {
        let length = self.0.len();
        let mut text = format!("uniform stream x;\nuniform vec4 w[{length}];\nvoid main() {{\n");
        for (n, operands) in self.0.iter().enumerate() {
            let value = match operands {
                None => format!("fetch(x, w[{n}].xy)"),
                Some([a, b]) => format!("mix(v{a}, v{b}, w[{n}])"),
            };
            text += &format!("vec4 v{n} = {value};\n");
        }
        text + &format!("result = v{};\n}}\n", length - 1)
    }

    fn operands(&self, n: usize) -> impl Iterator<Item = usize> {
        self.0[n].into_iter().flatten()
    }

    /// Values that the last one needs, as bits, itself included.
    fn needed(&self) -> u32 {
        let last = self.0.len() - 1;
        (0..=last).rev().fold(1 << last, |needed, n| match needed >> n & 1 {
            1 => self.operands(n).fold(needed, |needed, m| needed | 1 << m),
            _ => needed,
        })
    }

    /// The fewest registers over all orders: `least[s]` is that of computing the values `s` first,
    /// in their best order. After each step, those are alive that the rest still reads.
    fn least(&self) -> u32 {
        let needed = self.needed();
        let alive = |done: u32| {
            let rest = (0..self.0.len()).filter(|n| (needed & !done) >> n & 1 == 1);
            let read = rest.flat_map(|n| self.operands(n)).fold(0, |read, m| read | 1 << m);
            (read & done).count_ones()
        };
        let mut least = vec![u32::MAX; 1 << self.0.len()];
        least[0] = 0;
        for done in 0..=needed {
            if least[done as usize] == u32::MAX {
                continue;
            }
            for n in (0..self.0.len()).filter(|n| (needed & !done) >> n & 1 == 1) {
                if self.operands(n).all(|m| done >> m & 1 == 1) {
                    let next = done | 1 << n;
                    let peak = least[done as usize].max(alive(next));
                    least[next as usize] = least[next as usize].min(peak);
                }
            }
        }
        least[needed as usize]
    }
}

/// Programs in which any value may be used again.
fn graphs() -> impl Strategy<Value = Mixes> {
    let choices = prop::collection::vec((any::<bool>(), any::<usize>(), any::<usize>()), 1..12);
    choices.prop_map(|choices| {
        let mut values = vec![None, None];
        for (is_record, a, b) in choices {
            let operands = [a % values.len(), b % values.len()];
            values.push((!is_record).then_some(operands));
        }
        Mixes(values)
    })
}

/// Programs in which every value is used once: two of those not used yet are mixed again and again.
fn trees() -> impl Strategy<Value = Mixes> {
    let choices = prop::collection::vec((any::<usize>(), any::<usize>()), 1..8);
    choices.prop_map(|choices| {
        let mut values = vec![None; choices.len() + 1];
        let mut unused: Vec<usize> = (0..values.len()).collect();
        for (a, b) in choices {
            let a = unused.swap_remove(a % unused.len());
            let b = unused.swap_remove(b % unused.len());
            unused.push(values.len());
            values.push(Some([a, b]));
        }
        Mixes(values)
    })
}

proptest! {
    #[test]
    fn no_order_takes_fewer_for_a_tree(program in trees()) {
        let count = count(&program.text()).unwrap();
        prop_assert_eq!(count.registers, program.least(), "{}", program.text());
    }

    #[test]
    fn the_number_lies_between_the_least_and_that_of_all_values(program in graphs()) {
        let count = count(&program.text()).unwrap();
        prop_assert_eq!(count.instructions, program.needed().count_ones());
        prop_assert!(count.registers >= program.least(), "{}", program.text());
        prop_assert!(count.registers < count.instructions, "the last value is the result");
        prop_assert!(count.registers > 0 || count.instructions == 1);
    }
}
