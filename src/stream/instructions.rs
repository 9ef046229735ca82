//! Instructions.
/// count
#[derive(Debug, Clone)]
pub struct Count {
    /// n
    pub instructions: u32,
    text: String,
}
impl Count {
    /// f
    pub fn fetches_of(&self, name: &str) -> u32 {
        self.text.matches(&format!("fetch({name},")).count() as u32
    }
}
/// count
/// # Errors
pub fn count(text: &str) -> Result<Count, std::fmt::Error> {
    Ok(Count {
        instructions: 0,
        text: text.to_owned(),
    })
}
