package mcp

import (
	"context"
	"fmt"

	"taskmarket/client"
)

// entry defines a tool that forwards its arguments to one API operation.
type entry struct {
	operation string // operationId in the OpenAPI document
	effect    effect
	about     string
	// without lists the operation's arguments that the tool does not offer.
	without []string
	// consequence describes the effect of the transaction that the tool returns.
	consequence string
}

// readers lists the tools that both servers offer.
var readers = []entry{
	{operation: "getContractsConfig", about: "The chain, the contracts, the fee, the minimum payment and the current time windows. Needs no API key."},
	{operation: "getBoard", about: "The public list of tasks that are open for applications. Needs no API key."},
	{operation: "searchLocations", about: "Cities whose name starts with q, for a task's location. Needs no API key."},
	{operation: "getAgentMe", about: "Your own account: balances in wei, karma, and whether you can create tasks or what is missing."},
	{operation: "listAgentActions", about: "Your open actions, the nearest deadline first: applications and submissions to review, disputes to answer, expired tasks to cancel. Start here."},
	{operation: "listActivity", about: "The activity feed of your account and your tasks, newest first."},
	{operation: "listTasks", about: "Your tasks, newest first; with scope board, all open tasks."},
	{operation: "getTask", about: "One task with its status, amounts in wei, deadlines and submission."},
	{operation: "getTaskNext", about: "The actions that you can take on a task now or later, until when, and what happens if no one acts."},
	{operation: "listTaskApplications", about: "The applications for your task. Only an application with status pending, whose stake is locked, can be accepted; filter by status to see only those."},
	{operation: "listTaskFiles", about: "The files of a task: name, size and SHA-256 of each. download_task_file shows one."},
	{operation: "listTaskMessages", effect: marks, about: "The messages between you and the assigned human of a task, newest first. Marks the messages that it returns as read."},
	{operation: "getDispute", about: "The dispute about a task's work: who opened it, the reason, the answer, and when its current status ends."},
	{operation: "listAvailableHumans", about: "Humans who are available for work, filtered by keywords, skill, location, remote work, rating or verification."},
	{operation: "getProfile", about: "The public profile of an agent or a human: ratings, reviews, completed tasks, disputes."},
	{operation: "listAgentConversations", about: "Your direct-message conversations with humans, the most recent first: the inbox, or another folder. Strangers write to the folder requests, which never counts as unread."},
	{operation: "listDirectMessages", effect: marks, about: "One conversation, newest first. Marks the messages that it returns as read, except in requests and blocked conversations."},
	{operation: "listNotices", about: "The moderators' measures against your content and account, with their reasons and your appeals."},
	{operation: "createReport", effect: writes, about: "Report a task, profile, message or file of another user to the moderators. The author never learns who reported it."},
	{operation: "postTaskMessage", effect: writes, about: "Send a message to the assigned human of your task. The human sees it at once."},
	{operation: "startConversation", effect: writes, about: "Send a direct message to a human by username, for example to an applicant. The human sees it at once. If the human neither applied for a task of yours nor was hired by you, the message arrives as a request: at most three are possible until the human accepts or answers."},
	{operation: "acceptConversation", effect: marks, about: "Move a conversation request to your inbox. Repeating it changes nothing."},
	{operation: "muteConversation", effect: marks, about: "Mute a conversation: its messages no longer count as unread or appear in your activity. unmute_conversation reverses it."},
	{operation: "unmuteConversation", effect: marks, about: "Resume unread counts and activity items for a conversation."},
	{operation: "blockConversation", effect: marks, about: "Refuse direct messages from the human in a conversation. Messages about a task remain possible. unblock_conversation reverses it."},
	{operation: "unblockConversation", effect: marks, about: "Accept direct messages from the human in a conversation again."},
}

// finalRecords lists the tools that create records which cannot be changed later.
var finalRecords = []entry{
	{operation: "reviewTask", effect: decides, about: "Rate the human of an ended task from 1 to 5, with a public comment. A review is final."},
	{operation: "appealNotice", effect: decides, about: "Appeal against a measure of the moderators, once and within six months. Another person decides."},
	{operation: "answerDispute", effect: decides, about: "Answer the human's dispute. The validators read both sides. The answer is final."},
}

// readingTools creates the tools that both servers offer.
func (c *contract) readingTools() ([]*tool, error) {
	tools, err := c.table(readers)
	if err != nil {
		return nil, err
	}
	download, err := c.downloadFile()
	return append(tools, download), err
}

// table creates one tool for each entry.
func (c *contract) table(entries []entry) ([]*tool, error) {
	tools := make([]*tool, 0, len(entries))
	for _, e := range entries {
		t, err := c.passOn(e)
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// passOn creates the tool that forwards its arguments to an operation and returns the operation's
// response.
func (c *contract) passOn(e entry) (*tool, error) {
	op, known := c.operations[e.operation]
	if !known || op.answer == nil {
		return nil, fmt.Errorf("the API has no operation %s that returns JSON", e.operation)
	}
	arguments := c.arguments(op)
	properties, _ := arguments["properties"].(schema)
	for _, name := range e.without {
		delete(properties, name)
	}
	answer, result := c.shapeOf(op.answer, "", "")
	if members, ok := result["properties"].(schema); ok && e.consequence != "" {
		members["consequence"] = schema{"type": "string"}
	}
	t, err := newTool(snake(e.operation), e.about, e.effect, arguments, result)
	if err != nil {
		return nil, err
	}
	t.do = func(ctx context.Context, caller *client.Client, arguments map[string]any) (any, error) {
		got, err := answer.ask(ctx, caller, op.request(arguments))
		if err == nil && e.consequence != "" {
			got["consequence"] = e.consequence
		}
		return got, err
	}
	return t, nil
}
