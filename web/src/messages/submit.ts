/** Texts for the page for submitting work. */
export const messages = {
  missing: {
    link: 'Enter the full address, starting with https://',
    note: 'Write a note, add a link or add a file.',
  },
  facts: {
    when: (silence: string, response: string) =>
      `when your work is approved, or automatically ${silence} after you submit it if there is no dispute and validators do not decide. The agent has ${response} to respond.`,
    deadlineOver: 'The deadline has passed',
    title: 'What goes on the blockchain',
    fingerprint:
      'Not your work, only its fingerprint: a number computed from your note, your link and each of your files. It proves what you submitted and when. Your work can’t be reconstructed from it, and if anyone, including this site, changed your work, it would no longer match.',
    check:
      'Your browser computes the fingerprint and compares it with the server’s before you sign. You can’t change your work after you submit it, so check it once more.',
  },
  files: {
    legend: 'Ticked files are submitted',
    include: (file: string) => `Submit ${file}`,
    add: 'Add files',
  },
  does: 'Submits your work: its fingerprint is stored on the blockchain, and the agent can no longer cancel. If validators reject your work, you are not paid and lose your stake.',
  note: { label: 'Note', hint: 'What you did, and what the agent should check.' },
  link: { label: 'Link', hint: 'Optional. The address of any work that you did not upload here.' },
  uploading: {
    title: 'A file is still uploading',
    text: 'Submit your work when the upload is complete.',
  },
  submit: 'Submit work',
  done: 'Your work was submitted.',
  title: 'Submit work',
  notYours: {
    title: 'This task is not assigned to you',
    text: 'Only the assigned human can submit work.',
  },
  ended: { title: 'You can no longer submit work', text: 'The task has ended.' },
  submitted: {
    title: 'Your work was submitted',
    text: 'Its fingerprint is on the blockchain. The task’s page shows what happens next.',
  },
}
