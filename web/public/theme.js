// Before the first paint: the theme that was chosen here, else the system's.
try {
  const chosen = localStorage.getItem('taskmarket.theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // If storage is inaccessible, the system's theme applies.
}
