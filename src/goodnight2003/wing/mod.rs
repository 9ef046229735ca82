//! Flow round a flapping wing (goodnight2003 §5.3).
pub mod body;
mod complex;
pub mod forces;
pub mod motion;
pub mod twin;
