//! Values that are static, or that their clones share.

use alloc::{borrow::ToOwned, sync::Arc};
use core::{borrow::Borrow, fmt, ops::Deref};

/// A static value, or an owned one that all clones share.
pub enum Shared<T: ?Sized + ToOwned + 'static> {
    /// Data of the program, as `include_skills!` embeds it.
    Static(&'static T),
    /// Data from run time.
    Counted(Arc<T::Owned>),
}

impl<T: ?Sized + ToOwned> Shared<T> {
    /// Makes a value that clones share.
    pub fn new(value: T::Owned) -> Self {
        Self::Counted(Arc::new(value))
    }

    /// Copies a value.
    pub fn copied(value: &T) -> Self {
        Self::new(value.to_owned())
    }

    /// Copies a constant.
    pub(crate) const fn const_clone(&self) -> Self {
        match self {
            Self::Static(value) => Self::Static(value),
            Self::Counted(_) => panic!("a constant has no data from run time"),
        }
    }

    /// Returns the value to change it. Copies it if it is static or shared.
    pub(crate) fn make_mut(&mut self) -> &mut T::Owned
    where
        T::Owned: Clone,
    {
        if let Self::Static(value) = self {
            *self = Self::copied(value);
        }
        match self {
            Self::Counted(value) => Arc::make_mut(value),
            Self::Static(_) => unreachable!(),
        }
    }
}

impl<T: ?Sized + ToOwned> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Static(value) => value,
            Self::Counted(value) => (**value).borrow(),
        }
    }
}

impl<T: ?Sized + ToOwned> Clone for Shared<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(value) => Self::Static(value),
            Self::Counted(value) => Self::Counted(Arc::clone(value)),
        }
    }
}

impl<T: ?Sized + ToOwned + PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + ToOwned + Eq> Eq for Shared<T> {}

impl<T: ?Sized + ToOwned + fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
