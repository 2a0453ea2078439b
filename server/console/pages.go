package console

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/server/operate"
	"taskmarket/store/operators"
)

func (c *Console) getStyle(v *visit) error {
	v.w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = v.w.Write(c.style) // fails only if the client has disconnected
	return nil
}

func (c *Console) getState(v *visit) error {
	state, err := c.State(v.ctx)
	if err != nil {
		return err
	}
	return v.render("state", state)
}

func (c *Console) getKeeper(v *visit) error {
	transactions, err := c.Keeper.Transactions(v.ctx)
	if err != nil {
		return err
	}
	return v.render("keeper", struct {
		Transactions []operate.Transaction
		Requested    bool
		MayChange    bool
	}{transactions, v.r.URL.Query().Has("requested"), v.operator.Role == market.RoleOperator})
}

// The requests to the keeper, as they appear in paths.
const (
	actResend = "resend"
	actCancel = "cancel"
)

// keeperRequest returns the nonce and the request in the path.
func keeperRequest(v *visit) (nonce uint64, act string, err error) {
	nonce, err = strconv.ParseUint(v.r.PathValue("nonce"), 10, 63)
	act = v.r.PathValue("act")
	if err != nil || act != actResend && act != actCancel {
		return 0, "", errNoPage
	}
	return nonce, act, nil
}

func (c *Console) getKeeperRequest(v *visit) error {
	nonce, act, err := keeperRequest(v)
	if err != nil {
		return err
	}
	return v.render("keeper-request", struct {
		Nonce  uint64
		Resend bool
	}{nonce, act == actResend})
}

func (c *Console) postKeeperRequest(v *visit) error {
	nonce, act, err := keeperRequest(v)
	if err != nil {
		return err
	}
	request := c.Keeper.Resend
	if act == actCancel {
		request = c.Keeper.Cancel
	}
	if err := request(v.ctx, nonce); err != nil {
		return err
	}
	v.redirect("/keeper?requested")
	return nil
}

// search parses the query parameter q; see ParseSearch.
func search(v *visit) (text string, q operators.RecordQuery, err error) {
	return ParseSearch(v.r.URL.Query().Get("q"))
}

// ParseSearch parses what an operator searches for: a username, a wallet address, an id, or a task's
// number in the escrow contract. It returns the text without surrounding spaces.
func ParseSearch(input string) (text string, q operators.RecordQuery, err error) {
	text = strings.TrimSpace(input)
	switch {
	case text == "":
		return text, q, nil
	case len(text) <= 20 && strings.Trim(text, "0123456789") == "":
		q.Escrow, err = strconv.ParseUint(text, 10, 63)
		if err != nil || q.Escrow == 0 {
			err = errNoSearch
		}
		return text, q, err
	}
	if q.ID, err = uuid.Parse(text); err == nil {
		return text, q, nil
	}
	if q.Wallet, err = market.ParseAddress("q", text); err == nil {
		return text, q, nil
	}
	if len(text) > market.MaxUsername {
		return text, q, errNoSearch
	}
	q.Username = text
	return text, q, nil
}

var errNoSearch = market.Errorf(market.KindInvalid, "the search text is not a username, a wallet address, an id, or a task's number in the escrow contract")

func (c *Console) getAccounts(v *visit) error {
	text, q, err := search(v)
	if err != nil {
		return err
	}
	if q.Escrow != 0 { // usernames can consist of digits
		q = operators.RecordQuery{Username: text}
	}
	accounts, err := c.Store.Operators.AccountRecords(v.ctx, q)
	if err != nil {
		return err
	}
	return v.render("accounts", struct {
		Query    string
		Accounts []operators.AccountRecord
	}{text, accounts})
}

// pathID returns the id in the path.
func pathID(v *visit) (uuid.UUID, error) {
	id, err := uuid.Parse(v.r.PathValue("id"))
	if err != nil || id == uuid.Nil {
		return id, errNoPage
	}
	return id, nil
}

func (c *Console) getAccount(v *visit) error {
	id, err := pathID(v)
	if err != nil {
		return err
	}
	q := operators.RecordQuery{ID: id}
	accounts, err := c.Store.Operators.AccountRecords(v.ctx, q)
	if err != nil {
		return err
	}
	if len(accounts) == 0 {
		return market.Errorf(market.KindNotFound, "no account has this id")
	}
	tasks, err := c.Store.Operators.TaskRecords(v.ctx, q)
	if err != nil {
		return err
	}
	log, err := c.Store.Operators.AuditLog(v.ctx, operators.AuditQuery{Account: id, Limit: auditPage})
	if err != nil {
		return err
	}
	entries, err := c.named(v.ctx, log)
	if err != nil {
		return err
	}
	ended, err := strconv.ParseUint(v.r.URL.Query().Get("ended"), 10, 32)
	return v.render("account", struct {
		Account   operators.AccountRecord
		Tasks     []operators.TaskRecord
		Entries   auditList
		Done      bool   // whether the sessions have just been ended
		Ended     uint64 // number of ended sessions
		MayChange bool
	}{accounts[0], tasks, entries, err == nil, ended, v.operator.Role == market.RoleOperator})
}

func (c *Console) postEndSessions(v *visit) error {
	id, err := pathID(v)
	if err != nil {
		return err
	}
	if !v.confirmed() {
		names, err := c.Store.Operators.Usernames(v.ctx, []uuid.UUID{id})
		if err != nil {
			return err
		}
		return v.ask(question{
			Text:   "End all sessions of " + visible(cmp.Or(names[id], id.String())) + "? The person must sign in again.",
			Button: "End all sessions", Back: "/accounts/" + id.String(),
		})
	}
	ended, err := c.Store.Operators.EndHumanSessions(v.ctx, id)
	if err != nil {
		return err
	}
	v.redirect("/accounts/" + id.String() + "?ended=" + strconv.FormatInt(ended, 10))
	return nil
}

func (c *Console) getTasks(v *visit) error {
	text, q, err := search(v)
	if err != nil {
		return err
	}
	tasks, err := c.Store.Operators.TaskRecords(v.ctx, q)
	if err != nil {
		return err
	}
	return v.render("tasks", struct {
		Query string
		Tasks []operators.TaskRecord
	}{text, tasks})
}

func (c *Console) getTask(v *visit) error {
	id, err := pathID(v)
	if err != nil {
		return err
	}
	tasks, err := c.Store.Operators.TaskRecords(v.ctx, operators.RecordQuery{ID: id})
	if err != nil {
		return err
	}
	if len(tasks) == 0 || tasks[0].ID != id {
		return market.Errorf(market.KindNotFound, "no task has this id")
	}
	log, err := c.Store.Operators.AuditLog(v.ctx, operators.AuditQuery{Subject: id.String(), Limit: auditPage})
	if err != nil {
		return err
	}
	entries, err := c.named(v.ctx, log)
	if err != nil {
		return err
	}
	return v.render("task", struct {
		Task    operators.TaskRecord
		Entries auditList
	}{tasks[0], entries})
}

// auditPage is the number of entries on a page of the audit log.
const auditPage = 100

func (c *Console) getAudit(v *visit) error {
	values := v.r.URL.Query()
	q := operators.AuditQuery{Operator: values.Get("operator"), Subject: values.Get("subject"), Limit: auditPage}
	if kind := values.Get("kind"); kind != "" {
		q.Kinds = []market.AuditKind{market.AuditKind(kind)}
	}
	var err error
	if text := values.Get("before"); text != "" {
		if q.Before, err = strconv.ParseInt(text, 10, 64); err != nil {
			return &market.Error{Kind: market.KindInvalid, Message: "the parameter \"before\" is not a number", Cause: err}
		}
	}
	if text := strings.TrimSpace(values.Get("account")); text != "" {
		if q.Account, err = c.accountID(v.ctx, text); err != nil {
			return err
		}
	}
	entries, err := c.Store.Operators.AuditLog(v.ctx, q)
	if err != nil {
		return err
	}
	older := ""
	if len(entries) == auditPage {
		values.Set("before", strconv.FormatInt(entries[len(entries)-1].ID, 10))
		older = "/audit?" + values.Encode()
	}
	list, err := c.named(v.ctx, entries)
	if err != nil {
		return err
	}
	return v.render("audit", struct {
		Kinds                            []market.AuditKind
		Kind, Account, Operator, Subject string
		Entries                          auditList
		Older                            string
	}{market.AuditKinds(), values.Get("kind"), values.Get("account"), q.Operator, q.Subject, list, older})
}

// accountID returns the id of the account with this username or id. A current name has precedence over a former one.
func (c *Console) accountID(ctx context.Context, text string) (uuid.UUID, error) {
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	accounts, err := c.Store.Operators.AccountRecords(ctx, operators.RecordQuery{Username: text})
	if err != nil {
		return uuid.Nil, err
	}
	if len(accounts) == 0 {
		return uuid.Nil, market.Errorf(market.KindInvalid, "no account has this username or id")
	}
	current := slices.IndexFunc(accounts, func(a operators.AccountRecord) bool { return strings.EqualFold(a.Username, text) })
	return accounts[max(0, current)].ID, nil
}

// names maps accounts to their usernames.
type names map[uuid.UUID]string

// Of returns the username of an account, or its id if the account is unknown.
func (n names) Of(id uuid.UUID) string { return cmp.Or(n[id], id.String()) }

// auditList contains entries of the audit log, and the names of what they mention.
type auditList struct {
	Entries []market.AuditEntry
	names   map[uuid.UUID]operators.SubjectName
}

// Account returns the username of an account, or its id if the account is unknown.
func (l auditList) Account(id uuid.UUID) string { return cmp.Or(l.names[id].Username, id.String()) }

// Subject completes the kind of an entry's subject: task “Weigh the bell”, message of ada. It returns the
// subject itself if no record has its id.
func (l auditList) Subject(e market.AuditEntry) string {
	id, err := uuid.Parse(e.Subject)
	name, ok := l.names[id]
	if err != nil || !ok {
		return e.Subject
	}
	switch e.SubjectKind {
	case string(market.SubjectTask):
		return "“" + visible(name.Title) + "”"
	case string(market.SubjectMessage):
		return "of " + name.Username
	case string(market.SubjectFile):
		return "of task “" + visible(name.Title) + "”"
	}
	return name.Username
}

// named reads the names of the accounts and subjects in the entries.
func (c *Console) named(ctx context.Context, entries []market.AuditEntry) (auditList, error) {
	var ids []uuid.UUID
	for _, e := range entries {
		if e.Account != uuid.Nil {
			ids = append(ids, e.Account)
		}
		if id, err := uuid.Parse(e.Subject); err == nil {
			ids = append(ids, id)
		}
	}
	names, err := c.Store.Operators.SubjectNames(ctx, ids)
	return auditList{entries, names}, err
}

func (v *visit) redirect(to string) { http.Redirect(v.w, v.r, to, http.StatusSeeOther) }
