package mcp

import (
	"context"
	"fmt"

	"taskmarket/client"
	"taskmarket/market"
)

// entry defines a tool that forwards its arguments to one API operation.
type entry struct {
	operation string // operationId in the OpenAPI document
	effect    effect
	about     string
	// without lists the operation's arguments that the tool does not offer.
	without []string
}

// readers lists the tools that both servers offer.
var readers = []entry{
	{operation: "getContractsConfig", about: "The chain, the contracts, the fee, the minimum payment and the current time windows. Needs no API key."},
	{operation: "getBoard", about: "The public list of tasks that are open for applications. Needs no API key."},
	{operation: "searchLocations", about: "Cities whose name starts with q, for a task's location. Needs no API key."},
	{operation: "getAgentMe", about: "Your own account: balances in wei, karma, and whether you can create tasks and, if not, what is missing."},
	{operation: "listAgentActions", about: "Your open actions, the nearest deadline first: applications and submissions to review, disputes to answer, expired tasks to cancel. Start here."},
	{operation: "listActivity", about: "The activity feed of your account and your tasks, newest first."},
	{operation: "listTasks", about: "Your tasks, newest first; with scope \"board\", all tasks that are open for applications."},
	{operation: "getTask", about: "One task with its status, amounts in wei, deadlines and submission."},
	{operation: "getTaskNext", about: "The actions that you can take on a task now or later, until when, and what happens if no one acts."},
	{operation: "listTaskApplications", about: "The applications for your task. Only applications with status \"pending\", whose stakes are locked, can be accepted; filter by status to list only those."},
	{operation: "listTaskFiles", about: "The files of a task: name, size and SHA-256 of each. download_task_file shows one."},
	{operation: "listTaskMessages", effect: marks, about: "The messages between you and the assigned human of a task, newest first. Marks the messages that it returns as read."},
	{operation: "getDispute", about: "The dispute about a task's work: the party that opened it, the reason, the other party's answer, and when the dispute's current status ends."},
	{operation: "listAvailableHumans", about: "Humans who are available for work, filtered by keywords, skill, location, remote work, rating or verification."},
	{operation: "getProfile", about: "The public profile of an agent or a human: ratings, reviews, completed tasks, disputes."},
	{operation: "listAgentConversations", about: "Your direct-message conversations with humans, the most recent first: the inbox, or another folder. First messages from a human that you never hired go to your requests folder and do not count as unread."},
	{operation: "listDirectMessages", effect: marks, about: "The messages of one conversation, newest first. Marks the messages that it returns as read, except in requests and blocked conversations."},
	{operation: "listNotices", about: "The moderators' measures against your content and account, with their reasons and your appeals."},
	{operation: "createReport", effect: writes, about: "Report a task, profile, message or file of another user to the moderators. The author never learns who reported it."},
	{operation: "postTaskMessage", effect: writes, about: "Send a message to the assigned human of your task. It is delivered at once."},
	{operation: "startConversation", effect: writes, about: "Send a direct message to a human by username, for example to an applicant. It is delivered at once. If the human neither applied for a task of yours nor was hired by you, it arrives as a request: you can send at most three messages until the human accepts or replies."},
	{operation: "acceptConversation", effect: marks, about: "Move a conversation request to your inbox. Repeating it changes nothing."},
	{operation: "muteConversation", effect: marks, about: "Mute a conversation: its messages no longer count as unread or appear in your activity. unmute_conversation reverses it."},
	{operation: "unmuteConversation", effect: marks, about: "Unmute a conversation: its messages count as unread and appear in your activity again."},
	{operation: "blockConversation", effect: marks, about: "Refuse direct messages from the human in a conversation. Messages about a task remain possible. unblock_conversation reverses it."},
	{operation: "unblockConversation", effect: marks, about: "Accept direct messages from the human in a conversation again."},
}

// finalRecords lists the tools that create records which cannot be changed later.
var finalRecords = []entry{
	{operation: "reviewTask", effect: decides, about: "After a task has ended, rate the human that you accepted for it from 1 to 5, with an optional comment. The review is public and final."},
	{operation: "appealNotice", effect: decides, about: "Appeal against one of the moderators' measures. You can appeal once, within six months. Another moderator decides."},
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

// whenSent introduces the effect of an act whose transaction a tool returns.
const whenSent = "When the wallet sends the transaction: "

// passOn creates the tool that forwards its arguments to an operation and returns the operation's
// response.
func (c *contract) passOn(e entry) (*tool, error) {
	op, ok := c.operations[e.operation]
	if !ok || op.response == nil {
		return nil, fmt.Errorf("the API has no operation %s that returns JSON", e.operation)
	}
	arguments := c.arguments(op)
	properties, _ := arguments["properties"].(schema)
	for _, name := range e.without {
		delete(properties, name)
	}
	response, result := c.shapeOf(op.response, "", "")
	act, _ := market.ActOfOperation(e.operation) // the wallet sends its call, if it has one, later
	if members, ok := result["properties"].(schema); ok && act.Call {
		members["consequence"] = schema{"type": "string"}
	}
	t, err := newTool(snake(e.operation), e.about, e.effect, arguments, result)
	if err != nil {
		return nil, err
	}
	t.do = func(ctx context.Context, caller *client.Client, arguments map[string]any) (any, error) {
		got, err := response.ask(ctx, caller, op.request(arguments))
		if err == nil && act.Call {
			got["consequence"] = whenSent + act.EffectInWords(market.RoleAgent)
		}
		return got, err
	}
	return t, nil
}
