package server

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// messagesHandler handles the operations with the tag "messages".
type messagesHandler struct {
	*taskAccess
}

// ListTaskMessages returns the messages between the parties to a task.
func (h *messagesHandler) ListTaskMessages(ctx context.Context, request api.ListTaskMessagesRequestObject) (api.ListTaskMessagesResponseObject, error) {
	task, role, err := h.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if role != market.RoleAgent && role != market.RoleHuman {
		return nil, market.Errorf(market.KindForbidden, "only the agent and the assigned human can access the messages of this task")
	}
	p := request.Params
	query := store.MessageQuery{PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), TaskID: task.ID, Reader: gate.PrincipalOf(ctx)}
	page, err := h.store.Messages(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.ListTaskMessages200JSONResponse{Body: api.MessagePage{
		Messages: mapAll(page.Items, toAPIMessage),
		Total:    int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

// PostTaskMessage sends a message about a task to the other party.
func (h *messagesHandler) PostTaskMessage(ctx context.Context, request api.PostTaskMessageRequestObject) (api.PostTaskMessageResponseObject, error) {
	if err := market.CheckText("content", request.Body.Content); err != nil {
		return nil, err
	}
	id, err := gate.RecordID(ctx)
	if err != nil {
		return nil, err
	}
	sender := gate.PrincipalOf(ctx)
	message := market.Message{
		ID: id, TaskID: request.ID, SenderKind: sender.Kind, SenderID: sender.ID, Content: request.Body.Content,
	}
	// Read the task only if AddMessageIn refuses the message: permitsMessage returns the reason, or nil if the
	// message is permitted after all.
	sent, err := h.store.AddMessageIn(ctx, message, messageStatuses(sender))
	if market.KindOf(err) == market.KindForbidden {
		if err := h.permitsMessage(ctx, request.ID, sender); err != nil {
			return nil, err
		}
		sent, err = h.store.AddMessage(ctx, message)
	}
	if err != nil {
		return nil, err
	}
	h.screenMessage(ctx, sent.ID, sent.Content)
	return api.PostTaskMessage201JSONResponse{Body: toAPIMessage(sent)}, nil
}

// messageStatuses returns the statuses of a task in which the sender can write to the other party. A
// suspended sender cannot write after the end of the task.
func messageStatuses(sender market.Principal) []market.Status {
	statuses := market.ActionMessage.Statuses()
	if sender.State == market.AccountSuspended {
		return slices.DeleteFunc(statuses, market.Status.Ended)
	}
	return statuses
}

// permitsMessage returns the reason why the sender cannot write a message about the task, if any.
func (h *messagesHandler) permitsMessage(ctx context.Context, id uuid.UUID, sender market.Principal) error {
	task, role, err := h.taskFor(ctx, id)
	if err != nil {
		return err
	}
	if err := h.permits(ctx, task, market.ActionMessage, role); err != nil {
		return err
	}
	if sender.State == market.AccountSuspended && task.Status.Ended() {
		return sender.State.Refusal()
	}
	return nil
}

func toAPIMessage(m market.Message) api.Message {
	return api.Message{
		ID: m.ID, TaskID: m.TaskID, SenderType: api.Party(m.SenderKind), SenderID: m.SenderID,
		Content: m.Content, CreatedAt: market.TimeOf(m.CreatedAt), IsRead: m.ReadAt != nil, ReadAt: market.OptionalTime(m.ReadAt),
	}
}

// ListAgentConversations returns the calling agent's conversations.
func (h *messagesHandler) ListAgentConversations(ctx context.Context, request api.ListAgentConversationsRequestObject) (api.ListAgentConversationsResponseObject, error) {
	p := request.Params
	page, err := h.conversations(ctx, pageQuery(p.Page, p.PageSize, p.Cursor), p.Folder)
	if err != nil {
		return nil, err
	}
	return api.ListAgentConversations200JSONResponse{Body: page}, nil
}

// ListConversations returns the caller's conversations.
func (h *messagesHandler) ListConversations(ctx context.Context, request api.ListConversationsRequestObject) (api.ListConversationsResponseObject, error) {
	p := request.Params
	page, err := h.conversations(ctx, pageQuery(p.Page, p.PageSize, p.Cursor), p.Folder)
	if err != nil {
		return nil, err
	}
	return api.ListConversations200JSONResponse{Body: page}, nil
}

func (h *messagesHandler) conversations(ctx context.Context, query store.PageQuery, folder *api.Folder) (api.ConversationPage, error) {
	page, err := h.store.Conversations(ctx, store.ConversationQuery{
		PageQuery: query, Member: gate.PrincipalOf(ctx), Folder: market.Folder(deref(folder)),
	})
	if err != nil {
		return api.ConversationPage{}, err
	}
	return api.ConversationPage{
		Conversations: mapAll(page.Items, toAPIConversation), UnreadTotal: page.Unread,
		Total: int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}, nil
}

// CountUnreadMessages returns the number of direct messages that count as unread for the calling agent.
func (h *messagesHandler) CountUnreadMessages(ctx context.Context, _ api.CountUnreadMessagesRequestObject) (api.CountUnreadMessagesResponseObject, error) {
	unread, err := h.store.UnreadMessages(ctx, gate.PrincipalOf(ctx))
	if err != nil {
		return nil, err
	}
	return api.CountUnreadMessages200JSONResponse{Body: api.UnreadCount{Count: unread}}, nil
}

// StartConversation sends a message to the user with the username. It opens a conversation if there
// is none yet.
func (h *messagesHandler) StartConversation(ctx context.Context, request api.StartConversationRequestObject) (api.StartConversationResponseObject, error) {
	if err := market.CheckText("content", request.Body.Content); err != nil {
		return nil, err
	}
	conversation, err := h.store.OpenConversation(ctx, gate.PrincipalOf(ctx), request.Body.Username)
	if err != nil {
		return nil, err
	}
	message, err := h.write(ctx, conversation, request.Body.Content)
	if err != nil {
		return nil, err
	}
	return api.StartConversation201JSONResponse{Body: message}, nil
}

// ListDirectMessages returns a conversation's messages to its members.
func (h *messagesHandler) ListDirectMessages(ctx context.Context, request api.ListDirectMessagesRequestObject) (api.ListDirectMessagesResponseObject, error) {
	p := request.Params
	query := store.DirectMessageQuery{
		PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), ConversationID: request.ConversationID, Reader: gate.PrincipalOf(ctx),
	}
	page, err := h.store.DirectMessages(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.ListDirectMessages200JSONResponse{Body: api.DirectMessagePage{
		Conversation: toAPIConversation(page.Conversation),
		Messages:     mapAll(page.Items, toAPIDirectMessage),
		Total:        int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

// PostDirectMessage sends a message in a conversation.
func (h *messagesHandler) PostDirectMessage(ctx context.Context, request api.PostDirectMessageRequestObject) (api.PostDirectMessageResponseObject, error) {
	if err := market.CheckText("content", request.Body.Content); err != nil {
		return nil, err
	}
	message, err := h.write(ctx, request.ConversationID, request.Body.Content)
	if err != nil {
		return nil, err
	}
	return api.PostDirectMessage201JSONResponse{Body: message}, nil
}

func (h *messagesHandler) write(ctx context.Context, conversation uuid.UUID, content string) (api.DirectMessage, error) {
	id, err := gate.RecordID(ctx)
	if err != nil {
		return api.DirectMessage{}, err
	}
	message, err := h.store.AddDirectMessage(ctx, market.DirectMessage{
		ID: id, ConversationID: conversation, Content: content,
	}, gate.PrincipalOf(ctx))
	if err != nil {
		return api.DirectMessage{}, err
	}
	h.screenMessage(ctx, message.ID, message.Content)
	return toAPIDirectMessage(message), nil
}

func (h *messagesHandler) screenMessage(ctx context.Context, id uuid.UUID, content string) {
	h.screenText(ctx, writing{
		subject: market.Subject{Kind: market.SubjectMessage, ID: id}, record: id, title: "message", texts: []string{content},
	})
}

// AcceptConversation moves a request to the caller's inbox.
func (h *messagesHandler) AcceptConversation(ctx context.Context, request api.AcceptConversationRequestObject) (api.AcceptConversationResponseObject, error) {
	conversation, err := h.store.ChangeConversation(ctx, request.ConversationID, gate.PrincipalOf(ctx), (*market.Membership).Accept)
	if err != nil {
		return nil, err
	}
	return api.AcceptConversation200JSONResponse{Body: toAPIConversation(conversation)}, nil
}

// MuteConversation stops the unread count and the activity items of a conversation for the caller.
func (h *messagesHandler) MuteConversation(ctx context.Context, request api.MuteConversationRequestObject) (api.MuteConversationResponseObject, error) {
	conversation, err := h.store.ChangeConversation(ctx, request.ConversationID, gate.PrincipalOf(ctx), (*market.Membership).Mute)
	if err != nil {
		return nil, err
	}
	return api.MuteConversation200JSONResponse{Body: toAPIConversation(conversation)}, nil
}

// UnmuteConversation reverses MuteConversation.
func (h *messagesHandler) UnmuteConversation(ctx context.Context, request api.UnmuteConversationRequestObject) (api.UnmuteConversationResponseObject, error) {
	conversation, err := h.store.ChangeConversation(ctx, request.ConversationID, gate.PrincipalOf(ctx), (*market.Membership).Unmute)
	if err != nil {
		return nil, err
	}
	return api.UnmuteConversation200JSONResponse{Body: toAPIConversation(conversation)}, nil
}

// BlockConversation blocks further direct messages from the other member to the caller.
func (h *messagesHandler) BlockConversation(ctx context.Context, request api.BlockConversationRequestObject) (api.BlockConversationResponseObject, error) {
	conversation, err := h.store.ChangeConversation(ctx, request.ConversationID, gate.PrincipalOf(ctx), (*market.Membership).Block)
	if err != nil {
		return nil, err
	}
	return api.BlockConversation200JSONResponse{Body: toAPIConversation(conversation)}, nil
}

// UnblockConversation reverses BlockConversation.
func (h *messagesHandler) UnblockConversation(ctx context.Context, request api.UnblockConversationRequestObject) (api.UnblockConversationResponseObject, error) {
	conversation, err := h.store.ChangeConversation(ctx, request.ConversationID, gate.PrincipalOf(ctx), (*market.Membership).Unblock)
	if err != nil {
		return nil, err
	}
	return api.UnblockConversation200JSONResponse{Body: toAPIConversation(conversation)}, nil
}

func toAPIConversation(c market.Conversation) api.Conversation {
	out := api.Conversation{
		ID: c.ID, Folder: api.ConversationFolder(c.Folder()), IsMuted: c.Muted, UnreadCount: c.Unread, LastMessageAt: market.TimeOf(c.UpdatedAt), CreatedAt: market.TimeOf(c.CreatedAt),
		With: api.Correspondent{Type: api.Party(c.With.Kind), ID: c.With.ID, Username: c.With.Username, DisplayName: c.With.Name},
	}
	if c.Last != nil {
		out.LastMessagePreview = new(preview(c.Last.Content))
		out.LastMessageSenderType = new(api.Party(c.Last.SenderKind))
	}
	return out
}

// preview returns at most the first 140 characters of a message.
func preview(content string) string {
	if runes := []rune(content); len(runes) > 140 {
		return string(runes[:140])
	}
	return content
}

func toAPIDirectMessage(m market.DirectMessage) api.DirectMessage {
	return api.DirectMessage{
		ID: m.ID, ConversationID: m.ConversationID, SenderType: api.Party(m.SenderKind), SenderID: m.SenderID,
		Content: m.Content, CreatedAt: market.TimeOf(m.CreatedAt), IsRead: m.ReadAt != nil, ReadAt: market.OptionalTime(m.ReadAt),
	}
}
