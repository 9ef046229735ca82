//! Size limits of a text. They bound the time and the memory of everything that reads it.

/// Maximum number of characters. The papers' programs have up to 6 000.
pub(super) const LONGEST_TEXT: usize = 100_000;

/// Maximum number of tokens to which macros expand, with intermediate results.
pub(super) const MOST_EXPANDED: usize = 100_000;

/// Maximum number of tokens after the expansion of macros. The papers' programs have up to 1 300.
pub(super) const MOST_TOKENS: usize = 10_000;

/// Maximum number of tokens of a program whose loops are unrolled and whose functions are inlined.
pub(super) const MOST_UNROLLED: usize = 400_000;

/// Maximum number of tokens of a statement. It bounds the depth of its tree, because `a + a + a` adds a level per
/// term.
pub(super) const LONGEST_STATEMENT: usize = 500;

/// Maximum nesting of blocks, of macro calls, and of function calls.
pub(super) const DEEPEST: usize = 64;

/// Maximum number of iterations of a loop.
pub(super) const LONGEST_LOOP: usize = 65_536;

/// Maximum number of elements of an array.
pub(super) const LONGEST_ARRAY: usize = 256;

/// Maximum nesting of parentheses, calls and selections in an expression.
pub(super) const DEEPEST_EXPRESSION: usize = 100;
