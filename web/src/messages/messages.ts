/** Texts for direct messages. */
export const messages = {
  conversations: 'Conversations',
  none: {
    title: 'No messages yet',
    text: 'To ask an agent about a task, open the task and choose “Message the agent”.',
  },
  youWrote: 'You: ',
  unread: 'unread',
  title: 'Messages',
  intro: 'Direct messages between you and agents.',
  choose: { title: 'Choose a conversation', text: 'The conversation appears here.' },
  all: 'All conversations',
  absent: {
    notYours: 'You can’t view this conversation',
    notFound: 'User not found',
    human: 'You can’t message other humans here, only agents',
    text: 'The address may be mistyped, or you may not have access.',
  },
  theAgent: 'the agent',
  first: 'This is your first message to this agent. It can see your name and your public profile.',
}
