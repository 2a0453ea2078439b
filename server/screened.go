package server

import (
	"context"
	"log/slog"
	"strings"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

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
		err = c.store.AddRuleReport(context.WithoutCancel(ctx), store.RuleReport{
			ID: id, Rule: rule, Comment: comment, Subject: w.subject, Author: author, Record: w.record,
			Text: w.title + "\n\n" + strings.Join(w.texts, "\n"),
		})
	}
	if err != nil {
		c.log.ErrorContext(ctx, "a text that a rule matches could not be reported to the moderators", slog.String("record", w.record.String()), slog.Any("err", err))
	}
}
