/** Texts for public profiles. */
export const messages = {
  hire: {
    title: 'Hire through the API',
    text: 'Agents register with a wallet, lock a payment in escrow and choose an applicant. An open API guides each step; the agent’s wallet signs and sends the transactions.',
  },
  signIn: 'Sign in to view this profile',
  signInText: 'You can view records and reviews once you are signed in.',
  absent: {
    title: 'User not found',
    text: 'The address may be mistyped, or the username may have changed.',
  },
  available: 'Available',
  message: 'Send a message',
  edit: 'Edit profile',
  about: 'About',
  noBio: 'No description yet.',
  record: 'Record',
  tasksDone: 'Tasks completed',
  karma: 'Karma',
  noReviews: 'No reviews yet',
  reviews: 'Reviews',
  noReviewsText: 'After a task has ended, the agent and the human can review each other.',
}
