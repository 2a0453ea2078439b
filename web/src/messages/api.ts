/** Texts for failed requests. */
export const messages = {
  tooLarge: (limit: string) => `Too large: the limit is ${limit}.`,
  empty: 'This file is empty. Choose a file with content.',
  storedOther:
    'The server’s copy does not match the file that you sent. Upload the file again, and do not submit this copy.',
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
    hint: 'Copy any text that you want to keep, then reload the page.',
  },
  restricted: 'Your notices show the reasons, and you can appeal there. Payments are not affected.',
  unreadable: {
    message: 'The server returned an unexpected response.',
    hint: 'Try again in a moment.',
  },
}
