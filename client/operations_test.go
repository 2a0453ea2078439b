package client_test

import (
	"context"
	"io"
	"iter"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"taskmarket"

	"github.com/ethereum/go-ethereum/common"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/client"
	gen "taskmarket/gen/client"
)

const recordID = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"

var (
	record = uuid.MustParse(recordID)
	noTx   common.Hash
)

// offered describes the library's method for one API operation.
type offered struct {
	method string // name of the method of Client; if it returns a page, an All… method also exists

	// call calls the method; nil for a flow with several requests, which has its own tests.
	call func(context.Context, *client.Client) error
	want string // expected method and path below /api/v1
	body string // expected JSON body; empty for no body and for files

	all  func(context.Context, *client.Client) (int, error) // iterates over the list and returns the number of items
	list string                                             // name of the page's field that contains the items
}

// count returns the number of items in a list.
func count[T any](list iter.Seq2[T, error]) (int, error) {
	n := 0
	for _, err := range list {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// operations maps every operation that agents may call to the library's method for it.
var operations = map[string]offered{
	// Operations that are part of a flow.
	"registerAgent":     {method: "Register"},
	"recoverAPIKey":     {method: "RecoverKey"},
	"eraseAccount":      {method: "EraseAccount"},
	"createTask":        {method: "CreateTask"},
	"acceptApplication": {method: "AcceptApplication"},
	"rejectApplication": {method: "RejectApplication"},
	"approveTask":       {method: "Approve"},
	"disputeTask":       {method: "Dispute"},
	"cancelTask":        {method: "Cancel"},

	// Service information, moderation and account export.
	"getHealth": {
		method: "Health", want: "GET /health",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Health(ctx); return err },
	},
	"getContractsConfig": {
		method: "Config", want: "GET /config/contracts",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Config(ctx); return err },
	},
	"getSkillsConfig": {
		method: "Skills", want: "GET /config/skills",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Skills(ctx); return err },
	},
	"getInstanceConfig": {
		method: "Instance", want: "GET /config/instance",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Instance(ctx); return err },
	},
	"createReport": {
		method: "ReportRecord", want: "POST /reports", body: `{"category":"spam","subject":"mara","subject_type":"profile"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ReportRecord(ctx, client.ReportRequest{SubjectType: "profile", Subject: "mara", Category: "spam"})
			return err
		},
	},
	"exportAccount": {
		method: "AccountRecords", want: "GET /account/export?cursor=next", list: "records",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.AccountRecords(ctx, "next")
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) { return count(c.AllAccountRecords(ctx)) },
	},
	"listNotices": {
		method: "Notices", want: "GET /notices?page=2", list: "notices",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Notices(ctx, client.PageQuery{Page: 2})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllNotices(ctx, client.PageQuery{}))
		},
	},
	"appealNotice": {
		method: "Appeal", want: "POST /notices/" + recordID + "/appeal", body: `{"statement":"It is my shop."}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Appeal(ctx, record, "It is my shop.")
			return err
		},
	},
	"searchLocations": {
		method: "Locations", want: "GET /config/locations?q=s%C3%A3o+p&page_size=5", list: "locations",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Locations(ctx, "são p", client.PageQuery{PageSize: 5})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllLocations(ctx, "são p", client.PageQuery{}))
		},
	},

	// Agent account.
	"rotateAPIKey": {
		method: "RotateKey", want: "POST /agents/api-keys/rotate",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.RotateKey(ctx); return err },
	},
	"verifyAgent": {
		method: "Verify", want: "POST /agents/" + recordID + "/verify",
		body: `{"post_url":"https://social.example/@me/1"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Verify(ctx, record, "https://social.example/@me/1")
			return err
		},
	},
	"verifyAgentMe": {
		method: "VerifyMe", want: "POST /agents/verify",
		body: `{"post_url":"https://social.example/@me/1"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.VerifyMe(ctx, "https://social.example/@me/1")
			return err
		},
	},
	"changeAgentUsername": {
		method: "ChangeUsername", want: "PUT /agents/me/username", body: `{"username":"second"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ChangeUsername(ctx, "second")
			return err
		},
	},
	"getAgentMe": {
		method: "Me", want: "GET /agents/me",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Me(ctx); return err },
	},
	"listAgentActions": {
		method: "Actions", want: "GET /agents/me/actions?page=3", list: "actions",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Actions(ctx, client.PageQuery{Page: 3})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllActions(ctx, client.PageQuery{}))
		},
	},
	"claimRewards": {
		method: "Claim", want: "POST /agents/claim",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Claim(ctx); return err },
	},
	"listClaims": {
		method: "Claims", want: "GET /agents/claims?page=2", list: "claims",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Claims(ctx, client.PageQuery{Page: 2})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllClaims(ctx, client.PageQuery{}))
		},
	},
	"listActivity": {
		method: "Activity", want: "GET /activity?type=payout", list: "activities",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Activity(ctx, client.ActivityQuery{Type: new(gen.ActivityTypePayout)})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllActivity(ctx, client.ActivityQuery{}))
		},
	},
	"streamEvents": {
		method: "Events", want: "GET /events",
		call: func(ctx context.Context, c *client.Client) error { _, err := count(c.Events(ctx, "")); return err },
	},

	// Tasks.
	"getTask": {
		method: "Task", want: "GET /tasks/" + recordID + "/",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Task(ctx, record); return err },
	},
	"listTasks": {
		method: "Tasks", want: "GET /tasks/?scope=board&status=funded,active&q=two+words&page_size=5", list: "tasks",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Tasks(ctx, client.TaskQuery{
				Scope: new(gen.TaskScopeBoard), Status: &[]client.TaskStatus{"funded", "active"}, Q: new("two words"), PageSize: new(5),
			})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllTasks(ctx, client.TaskQuery{}))
		},
	},
	"getBoard": {
		method: "Board", want: "GET /board?page=2&page_size=7", list: "tasks",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Board(ctx, client.PageQuery{Page: 2, PageSize: 7})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllBoard(ctx, client.PageQuery{}))
		},
	},
	"getTaskNext": {
		method: "Next", want: "GET /tasks/" + recordID + "/next",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Next(ctx, record); return err },
	},
	"listTaskApplications": {
		method: "Applications", want: "GET /tasks/" + recordID + "/applications?page=2&page_size=10", list: "applications",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Applications(ctx, record, client.PageQuery{Page: 2, PageSize: 10})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllApplications(ctx, record, client.PageQuery{}))
		},
	},
	"getDispute": {
		method: "DisputeOf", want: "GET /tasks/" + recordID + "/dispute",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.DisputeOf(ctx, record); return err },
	},
	"answerDispute": {
		method: "AnswerDispute", want: "POST /tasks/" + recordID + "/dispute/response",
		body: `{"response":"Done."}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.AnswerDispute(ctx, record, "Done.")
			return err
		},
	},
	"listVerdicts": {
		method: "Verdicts", want: "GET /tasks/" + recordID + "/verdicts?page_size=3", list: "verdicts",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Verdicts(ctx, record, client.PageQuery{PageSize: 3})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllVerdicts(ctx, record, client.PageQuery{}))
		},
	},

	"confirmTaskFunding": {
		method: "ConfirmFunding", want: "POST /tasks/" + recordID + "/confirm-create", body: `{"tx_hash":"` + noTx.Hex() + `"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ConfirmFunding(ctx, record, noTx)
			return err
		},
	},
	"confirmApplication": {
		method: "ConfirmAcceptance", want: "POST /tasks/" + recordID + "/confirm", body: `{"tx_hash":"` + noTx.Hex() + `"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ConfirmAcceptance(ctx, record, noTx)
			return err
		},
	},

	// Files.
	"listTaskFiles": {
		method: "Files", want: "GET /tasks/" + recordID + "/files/?cursor=abc", list: "files",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Files(ctx, record, client.PageQuery{Cursor: "abc"})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllFiles(ctx, record, client.PageQuery{}))
		},
	},
	"uploadTaskFile": {
		method: "Upload", want: "POST /tasks/" + recordID + "/files/",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Upload(ctx, record, "plan.txt", strings.NewReader(""))
			return err
		},
	},
	"downloadTaskFile": {
		method: "Download", want: "GET /tasks/" + recordID + "/files/" + recordID,
		call: func(ctx context.Context, c *client.Client) error {
			return c.Download(ctx, client.File{TaskID: record, ID: record, FileSize: 2}, new(strings.Builder))
		},
	},

	// Messages, profiles and reviews.
	"listTaskMessages": {
		method: "Messages", want: "GET /tasks/" + recordID + "/messages/?page_size=3", list: "messages",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Messages(ctx, record, client.PageQuery{PageSize: 3})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllMessages(ctx, record, client.PageQuery{}))
		},
	},
	"postTaskMessage": {
		method: "SendMessage", want: "POST /tasks/" + recordID + "/messages/",
		body: `{"content":"Hello."}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.SendMessage(ctx, record, "Hello.")
			return err
		},
	},
	"listAgentConversations": {
		method: "Conversations", want: "GET /agents/messages?folder=requests&page=2", list: "conversations",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Conversations(ctx, client.ConversationQuery{Folder: new(client.ConversationFolder("requests")), Page: new(2)})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllConversations(ctx, client.ConversationQuery{}))
		},
	},
	"acceptConversation": {
		method: "AcceptConversation", want: "POST /messages/" + recordID + "/accept",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.AcceptConversation(ctx, record)
			return err
		},
	},
	"muteConversation": {
		method: "MuteConversation", want: "POST /messages/" + recordID + "/mute",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.MuteConversation(ctx, record)
			return err
		},
	},
	"unmuteConversation": {
		method: "UnmuteConversation", want: "POST /messages/" + recordID + "/unmute",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.UnmuteConversation(ctx, record)
			return err
		},
	},
	"blockConversation": {
		method: "BlockConversation", want: "POST /messages/" + recordID + "/block",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.BlockConversation(ctx, record)
			return err
		},
	},
	"unblockConversation": {
		method: "UnblockConversation", want: "POST /messages/" + recordID + "/unblock",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.UnblockConversation(ctx, record)
			return err
		},
	},
	"countUnreadMessages": {
		method: "UnreadCount", want: "GET /agents/messages/unread-count",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.UnreadCount(ctx); return err },
	},
	"listDirectMessages": {
		method: "DirectMessages", want: "GET /messages/" + recordID + "/?page=2", list: "messages",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.DirectMessages(ctx, record, client.PageQuery{Page: 2})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllDirectMessages(ctx, record, client.PageQuery{}))
		},
	},
	"startConversation": {
		method: "WriteTo", want: "POST /messages/",
		body: `{"content":"Hello.","username":"mara"}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.WriteTo(ctx, "mara", "Hello.")
			return err
		},
	},
	"postDirectMessage": {
		method: "Reply", want: "POST /messages/" + recordID + "/",
		body: `{"content":"Hello."}`,
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Reply(ctx, record, "Hello.")
			return err
		},
	},
	"listAvailableHumans": {
		method: "Humans", want: "GET /humans/available?skill=demo&page_size=5", list: "humans",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.Humans(ctx, client.HumanQuery{Skill: new("demo"), PageSize: new(5)})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllHumans(ctx, client.HumanQuery{}))
		},
	},
	"getProfile": {
		method: "ProfileOf", want: "GET /profiles/mara",
		call: func(ctx context.Context, c *client.Client) error { _, err := c.ProfileOf(ctx, "mara"); return err },
	},
	"reviewTask": {
		method: "Review", want: "POST /tasks/" + recordID + "/reviews",
		body: `{"rating":5}`,
		call: func(ctx context.Context, c *client.Client) error { _, err := c.Review(ctx, record, 5, ""); return err },
	},
	"listAgentReviews": {
		method: "ReviewsOfAgent", want: "GET /agents/" + recordID + "/reviews?page=2", list: "reviews",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ReviewsOfAgent(ctx, record, client.PageQuery{Page: 2})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllReviewsOfAgent(ctx, record, client.PageQuery{}))
		},
	},
	"listHumanReviews": {
		method: "ReviewsOfHuman", want: "GET /humans/" + recordID + "/reviews?cursor=abc", list: "reviews",
		call: func(ctx context.Context, c *client.Client) error {
			_, err := c.ReviewsOfHuman(ctx, record, client.PageQuery{Cursor: "abc"})
			return err
		},
		all: func(ctx context.Context, c *client.Client) (int, error) {
			return count(c.AllReviewsOfHuman(ctx, record, client.PageQuery{}))
		},
	},
}

// notOffered lists the operations that agents may call but the library omits, with the reasons.
var notOffered = map[string]string{
	"getSiweMessage":    "signs humans in",
	"loginWithEthereum": "signs humans in",
	"listConversations": "lists for agents what listAgentConversations does",
}

// documentedOperation is an operation in the OpenAPI document.
type documentedOperation struct {
	template string // method and path, with parameter names in braces
	agents   bool   // whether agents may call it
	paged    bool   // whether it returns a page of a list
	creates  bool   // whether it takes an idempotency key
}

func document(t *testing.T) map[string]documentedOperation {
	t.Helper()
	spec, err := openapi3.NewLoader().LoadFromData(taskmarket.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]documentedOperation{}
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			d := documentedOperation{template: method + " " + path, agents: len(*op.Security) == 0}
			for _, requirement := range *op.Security {
				_, key := requirement["ApiKey"]
				d.agents = d.agents || key
			}
			for _, p := range op.Parameters {
				d.paged = d.paged || p.Value.Name == "cursor"
				d.creates = d.creates || p.Value.Name == "Idempotency-Key"
			}
			all[op.OperationID] = d
		}
	}
	return all
}

func TestEveryAgentOperationHasAMethod(t *testing.T) {
	documented := document(t)
	methods := reflect.TypeFor[*client.Client]()
	for id, d := range documented {
		o, is := operations[id]
		_, not := notOffered[id]
		if d.agents != (is != not) || is && not {
			t.Errorf("%s: for agents: %v, offered: %v, in notOffered: %v", id, d.agents, is, not)
		}
		if !is {
			continue
		}
		if _, there := methods.MethodByName(o.method); !there {
			t.Errorf("%s: method %s is missing", id, o.method)
		}
		if _, there := methods.MethodByName("All" + o.method); there != d.paged || there != (o.all != nil) {
			t.Errorf("%s: is a list: %v, has an iterator: %v, the iterator is tested: %v", id, d.paged, there, o.all != nil)
		}
	}
	for id := range operations {
		if _, there := documented[id]; !there {
			t.Errorf("%s is not documented", id)
		}
	}
	for id := range notOffered {
		if _, there := documented[id]; !there {
			t.Errorf("%s is not documented", id)
		}
	}
}

func TestOperationRequests(t *testing.T) {
	documented := document(t)
	for id, o := range operations {
		if o.call == nil {
			continue
		}
		t.Run(id, func(t *testing.T) {
			var body []byte
			s := &script{answers: []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
				body, _ = io.ReadAll(r.Body) // an error is ignored: the comparison below detects missing data
				refuse(404, "not_found")(w, r)
			}}}
			if err := o.call(t.Context(), dialTest(t, s)); client.CodeOf(err) != "not_found" {
				t.Fatalf("got error %v", err)
			}
			sent := s.requests()[0]
			if diff := cmp.Diff(o.want, sent.Method+" "+strings.TrimPrefix(sent.URL.String(), "/api/v1")); diff != "" {
				t.Error(diff)
			}
			path, _, _ := strings.Cut(o.want, "?")
			if template := documented[id].template; !pattern(template).MatchString(path) {
				t.Errorf("path %s does not match %s", path, template)
			}
			if diff := cmp.Diff(o.body, strings.TrimSpace(string(body))); diff != "" && id != "uploadTaskFile" {
				t.Error(diff)
			}
			if key := sent.Header.Get("Idempotency-Key"); (key != "") != documented[id].creates {
				t.Errorf("sent the idempotency key %q", key)
			}
		})
	}
}

var parameter = regexp.MustCompile(`\\\{\w+\\\}`)

// pattern returns a regular expression that matches the paths of a template.
func pattern(template string) *regexp.Regexp {
	return regexp.MustCompile("^" + parameter.ReplaceAllString(regexp.QuoteMeta(template), "[^/]+") + "$")
}

func TestListsReadAllPages(t *testing.T) {
	for id, o := range operations {
		if o.all == nil {
			continue
		}
		t.Run(id, func(t *testing.T) {
			s := &script{answers: []http.HandlerFunc{
				respond(200, `{"`+o.list+`":[{},{}],"next_cursor":"second"}`),
				respond(200, `{"`+o.list+`":[{}]}`),
			}}
			if n, err := o.all(t.Context(), dialTest(t, s)); n != 3 || err != nil {
				t.Errorf("found %d items, error %v", n, err)
			}
			first, second := s.requests()[0].URL.Query(), s.requests()[1].URL.Query()
			if first.Has("cursor") || second.Get("cursor") != "second" || first.Has("page") || second.Has("page") {
				t.Errorf("requested %v, then %v", first, second)
			}
			for _, name := range []string{"cursor", "page_size"} {
				first.Del(name)
				second.Del(name)
			}
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("the second page is of another list: %s", diff)
			}
		})
	}
}
