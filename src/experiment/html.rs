//! Html.
