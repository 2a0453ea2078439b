package gate_test

import (
	"strings"
	"testing"
)

func TestUnsafeSessionRequestsNeedTokenAndOrigin(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human, other := r.human(), r.human()
	cookie := human.cookie
	form, text := "application/x-www-form-urlencoded", "text/plain"
	type request struct {
		headers []string
		code    string // expected error; not_found means that all checks passed
	}
	requests := map[string]request{
		"token and origin":                   {[]string{"X-CSRF-Token", human.csrf, "Origin", r.url}, "not_found"},
		"token and site":                     {[]string{"X-CSRF-Token", human.csrf, "Sec-Fetch-Site", "same-origin"}, "not_found"},
		"only the token":                     {[]string{"X-CSRF-Token", human.csrf}, "csrf_failed"},
		"only the origin":                    {[]string{"Origin", r.url}, "csrf_failed"},
		"neither":                            {nil, "csrf_failed"},
		"empty token":                        {[]string{"X-CSRF-Token", "", "Origin", r.url}, "csrf_failed"},
		"token of another session":           {[]string{"X-CSRF-Token", other.csrf, "Origin", r.url}, "csrf_failed"},
		"token twice":                        {[]string{"X-CSRF-Token", human.csrf, "X-CSRF-Token", human.csrf, "Origin", r.url}, "csrf_failed"},
		"part of the token":                  {[]string{"X-CSRF-Token", human.csrf[1:], "Origin", r.url}, "csrf_failed"},
		"foreign origin":                     {[]string{"X-CSRF-Token", human.csrf, "Origin", "https://evil.example"}, "csrf_failed"},
		"null origin":                        {[]string{"X-CSRF-Token", human.csrf, "Origin", "null"}, "csrf_failed"},
		"subdomain":                          {[]string{"X-CSRF-Token", human.csrf, "Sec-Fetch-Site", "same-site"}, "csrf_failed"},
		"own origin, foreign site":           {[]string{"X-CSRF-Token", human.csrf, "Origin", r.url, "Sec-Fetch-Site", "cross-site"}, "csrf_failed"},
		"token in a planted cookie":          {[]string{"Cookie", "_csrf=" + human.csrf, "Origin", r.url}, "csrf_failed"},
		"token and cookie from another site": {[]string{"Cookie", "_csrf=planted", "X-CSRF-Token", "planted", "Origin", r.url}, "csrf_failed"},
		"navigation":                         {[]string{"X-CSRF-Token", human.csrf, "Sec-Fetch-Site", "none"}, "csrf_failed"},
		"origin with another scheme":         {[]string{"X-CSRF-Token", human.csrf, "Origin", strings.Replace(r.url, "http:", "https:", 1)}, "csrf_failed"},
		"a form":                             {[]string{"Origin", r.url, "Content-Type", form}, "csrf_failed"},
		"a form with the token":              {[]string{"X-CSRF-Token", human.csrf, "Origin", r.url, "Content-Type", form}, "unsupported_media_type"},
		"plain text with the token":          {[]string{"X-CSRF-Token", human.csrf, "Origin", r.url, "Content-Type", text}, "unsupported_media_type"},
	}
	const task = "/api/v1/tasks/0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"
	for path, body := range map[string]string{
		task + "/applications": `{"application_message":""}`, task + "/messages/": `{"content":"x"}`, task + "/reviews": `{"rating":5}`,
	} {
		for name, test := range requests {
			got := r.do("POST", path, body, append([]string{"Cookie", cookie}, test.headers...)...)
			if code := errorOf(t, got.body); code != test.code {
				t.Errorf("%s, %s = %d %s, want %s", path, name, got.status, got.body, test.code)
			}
		}
	}
	for name, test := range requests { // without these checks, another site could sign a user out
		if test.code != "csrf_failed" {
			continue
		}
		if got := r.do("POST", "/api/v1/auth/logout", "", append([]string{"Cookie", cookie}, test.headers...)...); got.status != 403 {
			t.Errorf("logout, %s = %d %s", name, got.status, got.body)
		}
	}
	if got := r.do("GET", "/api/v1/auth/session", "", "Cookie", cookie); got.status != 200 {
		t.Errorf("the session after refused logouts = %d %s", got.status, got.body)
	}
}
