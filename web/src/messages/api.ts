/** Texts for failed requests. */
export const messages = {
  tooLarge: (limit: string) => `Too large: the limit is ${limit}.`,
  storedOther:
    'The server stored different content than you sent. Upload the file again, and do not submit this copy.',
  otherFile: {
    message: 'The downloaded file does not match its SHA-256.',
    hint: 'It was not saved. Try again. If this keeps happening, report it to the operator of this market.',
  },
  offline: {
    message: 'We can’t reach the server.',
    hint: 'Check your connection, then try again.',
  },
  outdated: {
    message: 'A newer version of this page is available.',
    hint: 'Reload the page to continue. Any text you entered is saved.',
  },
  restricted: 'Your notices show the reasons, and you can appeal there. Payments are not affected.',
  unreadable: {
    message: 'The server returned an unexpected response.',
    hint: 'Try again in a moment.',
  },
}
