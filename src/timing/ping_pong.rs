//! Inputs and outputs of a chain: each run reads what the previous one wrote.

/// Two or more values, of which each run reads one and writes the next.
pub struct PingPong<T> {
    ring: Vec<T>,
    start: Option<T>,
}

impl<T> PingPong<T> {
    /// Creates `count` values, at least two.
    pub fn new<E>(count: usize, one: impl FnMut() -> Result<T, E>) -> Result<Self, E> {
        let all = std::iter::repeat_with(one).take(count.max(2));
        Ok(Self { ring: all.collect::<Result<_, _>>()?, start: None })
    }

    /// Creates two values, equal at first.
    pub fn of_two(one: T) -> Self
    where
        T: Clone,
    {
        Self { ring: vec![one.clone(), one], start: None }
    }

    /// Sets the input of the first run of every chain, so that no chain continues another.
    pub fn from(self, start: T) -> Self {
        Self { start: Some(start), ..self }
    }

    /// Returns the input and the output of the n-th run of a chain.
    pub fn of(&mut self, run: usize) -> (&T, &mut T) {
        let count = self.ring.len();
        let (read, written) = (run % count, (run + 1) % count);
        match &self.start {
            Some(start) if run == 0 => (start, &mut self.ring[written]),
            _ => {
                let [read, written] = (self.ring.get_disjoint_mut([read, written]))
                    .expect("neighbours in a ring of two or more are not the same");
                (read, written)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_reads_what_the_one_before_has_written_and_the_first_the_start() {
        for count in [2, 3] {
            let mut next = 0;
            let one = || Ok::<_, ()>(std::mem::replace(&mut next, 100));
            let mut pair = PingPong::new(count, one).unwrap().from(-1);
            for run in 0..7 {
                let (read, written) = pair.of(run);
                assert_eq!(*read, run as i32 - 1);
                *written = run as i32;
            }
        }
    }
}
