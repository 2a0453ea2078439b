package server

import (
	"context"
	"log/slog"
	"strings"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
	"taskmarket/store/moderation"
)

// moderationHandler handles the operations with the tag "moderation".
type moderationHandler struct{ store *store.Store }

// CreateReport stores a report for the moderators.
func (h *moderationHandler) CreateReport(ctx context.Context, request api.CreateReportRequestObject) (api.CreateReportResponseObject, error) {
	body := request.Body
	id, err := gate.RecordID(ctx)
	if err != nil {
		return nil, err
	}
	report, err := h.store.Moderation.AddReport(ctx, moderation.NewReport{
		ID: id, Reporter: gate.PrincipalOf(ctx), Kind: market.SubjectKind(body.SubjectType), Subject: body.Subject,
		Category: market.ReportCategory(body.Category), Comment: deref(body.Comment),
	})
	if err != nil {
		return nil, err
	}
	return api.CreateReport201JSONResponse{Body: api.Report{
		ID: report.ID, SubjectType: api.SubjectType(report.Subject.Kind), SubjectID: report.Subject.ID,
		Category: api.ReportCategory(report.Category), Comment: optional(report.Comment), CreatedAt: market.TimeOf(report.CreatedAt),
	}}, nil
}

// ListNotices returns the measures against the caller's content and account.
func (h *moderationHandler) ListNotices(ctx context.Context, request api.ListNoticesRequestObject) (api.ListNoticesResponseObject, error) {
	query := pageQuery(request.Params.Page, request.Params.PageSize, request.Params.Cursor)
	page, err := h.store.Moderation.Notices(ctx, gate.PrincipalOf(ctx).ID, query)
	if err != nil {
		return nil, err
	}
	return api.ListNotices200JSONResponse{Body: api.NoticePage{
		Notices: mapAll(page.Items, toAPINotice),
		Total:   int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

// AppealNotice stores the caller's appeal against a measure.
func (h *moderationHandler) AppealNotice(ctx context.Context, request api.AppealNoticeRequestObject) (api.AppealNoticeResponseObject, error) {
	if err := market.CheckText("statement", request.Body.Statement); err != nil {
		return nil, err
	}
	id, err := gate.RecordID(ctx)
	if err != nil {
		return nil, err
	}
	notice, err := h.store.Moderation.AddAppeal(ctx, market.Appeal{
		ID: id, DecisionID: request.NoticeID, Statement: request.Body.Statement,
	}, gate.PrincipalOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	return api.AppealNotice201JSONResponse{Body: toAPINotice(notice)}, nil
}

// toAPINotice leaves out the moderators, who are never shown to users.
func toAPINotice(n market.Notice) api.Notice {
	out := api.Notice{
		ID: n.ID, SubjectType: api.SubjectType(n.Subject.Kind), SubjectID: n.Subject.ID, Measure: api.Measure(n.Measure),
		Territory: n.Territory, Facts: n.Facts, Automation: api.NoticeAutomation(n.Automation), Clause: n.Clause,
		DecidedAt: market.TimeOf(n.DecidedAt), EndedAt: market.OptionalTime(n.EndedAt),
		AppealUntil: market.TimeOf(n.DecidedAt.Add(market.AppealWindow)),
	}
	if n.Appeal == nil {
		return out
	}
	status := api.AppealStatus("open")
	if n.Appeal.Outcome != "" {
		status = api.AppealStatus(n.Appeal.Outcome)
	}
	out.Appeal = &api.Appeal{
		Statement: n.Appeal.Statement, CreatedAt: market.TimeOf(n.Appeal.CreatedAt), Status: status,
		Reasons: optional(n.Appeal.Reasons), DecidedAt: market.OptionalTime(n.Appeal.DecidedAt),
	}
	return out
}

// writing is a text that the caller has written into a record.
type writing struct {
	subject market.Subject // what moderators decide on; the caller's profile if empty
	record  uuid.UUID      // the record with the text
	title   string         // names the text in the moderators' copy
	texts   []string
}

// screenText reports a stored text to the moderators if one of the operator's rules matches it. It never fails the
// request: only tasks are held, because the other texts are part of a running task or conversation.
func (c *contracts) screenText(ctx context.Context, w writing) {
	author := gate.PrincipalOf(ctx).ID
	if w.subject.ID == uuid.Nil {
		w.subject = market.Subject{Kind: market.SubjectProfile, ID: author}
	}
	c.reportText(ctx, author, w)
}

// reportText is screenText for a given author.
func (c *contracts) reportText(ctx context.Context, author uuid.UUID, w writing) {
	rule := c.screen.Match(w.texts...)
	if rule == "" {
		return
	}
	comment := "A rule matched the " + w.title + "."
	if clause := c.screen.Rules().ClauseOf(rule); clause != "" {
		comment += " " + clause
	}
	if runes := []rune(comment); len(runes) > market.MaxReportComment {
		comment = string(runes[:market.MaxReportComment])
	}
	id, err := uuid.NewV7()
	if err == nil {
		// Also if the client has disconnected, because the text is stored.
		err = c.store.Moderation.AddRuleReport(context.WithoutCancel(ctx), moderation.RuleReport{
			ID: id, Rule: rule, Comment: comment, Subject: w.subject, Author: author, Record: w.record,
			Text: w.title + "\n\n" + strings.Join(w.texts, "\n"),
		})
	}
	if err != nil {
		c.log.ErrorContext(ctx, "a text that a rule matches could not be reported to the moderators", slog.String("record", w.record.String()), slog.Any("err", err))
	}
}
