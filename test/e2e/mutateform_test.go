package e2e_test

import "fmt"

// badForms adds uploads that do not contain exactly one file.
func badForms(add adder) {
	const kind, end = "multipart/form-data; boundary=x", "--x--\r\n"
	part := func(header, content string) string {
		return "--x\r\nContent-Disposition: form-data; " + header + "\r\n\r\n" + content + "\r\n"
	}
	file := part(`name="file"; filename="a.txt"`, "a")
	forms := map[string]string{
		"nothing": "", "no part": end, "two files": file + file + end,
		"another name": part(`name="upload"; filename="a.txt"`, "a") + end, "no filename": part(`name="file"`, "a") + end,
		"a member too many": file + part(`name="note"`, "a") + end, "no name": part(`filename="a.txt"`, "a") + end,
		"a member before": part(`name="note"`, "a") + file + end, "another boundary": "--y\r\n\r\n--y--\r\n",
		"an empty filename": part(`name="file"; filename=""`, "a") + end, "no header": "--x\r\n\r\na\r\n" + end, "garbage": "\x00\xff",
		"a name in capitals": part(`name="FILE"; filename="a.txt"`, "a") + end, "a list": part(`name="file[]"; filename="a.txt"`, "a") + end,
		"an attachment": "--x\r\nContent-Disposition: attachment; name=\"file\"; filename=\"a.txt\"\r\n\r\na\r\n" + end, "JSON": `{"file":"a"}`,
	}
	for i := range len(file) {
		forms[fmt.Sprintf("an end at %d", i)] = file[:i]
	}
	forms["no end"] = file
	for name, form := range forms {
		add("form with "+name, func(b *bad) { b.kind, b.body = kind, form })
	}
	for _, wrong := range []string{
		"", "application/json", "multipart/form-data", "multipart/mixed; boundary=x", "text/plain", "multipart/form-data; boundary=", "multipart/form-data; boundary=y",
		"multipart/form-data; boundary=x; boundary=y", "application/octet-stream", "multipart/form-data boundary=x", "*/*",
	} {
		add("form of "+wrong, func(b *bad) { b.kind, b.body = wrong, file+end })
	}
}
