package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
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
	report, err := h.store.AddReport(ctx, store.NewReport{
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
	page, err := h.store.Notices(ctx, gate.PrincipalOf(ctx).ID, query)
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
	notice, err := h.store.AddAppeal(ctx, market.Appeal{
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

// GetInstanceConfig returns what the operator forbids and requires, and the operator's links.
func (h *configHandler) GetInstanceConfig(_ context.Context, _ api.GetInstanceConfigRequestObject) (api.GetInstanceConfigResponseObject, error) {
	i := h.screen.Instance()
	return api.GetInstanceConfig200JSONResponse{Body: api.InstanceConfig{
		TermsURL: optional(i.TermsURL), PrivacyURL: optional(i.PrivacyURL), ContactURL: optional(i.ContactURL),
		MinimumAge: i.MinimumAge, ForbiddenCategories: nonNil(i.Categories), ForbiddenCountries: nonNil(i.Countries),
	}}, nil
}
