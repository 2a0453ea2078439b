package mcp

import (
	"context"

	"taskmarket/client"
	gen "taskmarket/gen/client"
)

// verifiers contains a check for each tool that shows work to be approved. The check reports whether
// the tool's result is part of the work that matches the hash on the chain, or a file marked as
// evidence, which that hash does not cover.
var verifiers = map[string]func(args arguments, result any, work client.Work) bool{
	"get_task": func(_ arguments, result any, work client.Work) bool {
		task, _ := result.(map[string]any)
		return wordsOf(task["submission_note"]) == work.Note && wordsOf(task["proof_url"]) == work.ProofURL
	},
	"download_task_file": func(args arguments, result any, work client.Work) bool {
		file := recordOf(result)
		submitted, _ := file["submitted"].(bool)
		return work.Has(client.File{ID: args.id("file_id"), Sha256: wordsOf(file["sha256"]), Submitted: submitted})
	},
}

// verified wraps a tool so that it shows a human's work only if the work matches its hash on the chain,
// and evidence only if the task's submitted work does. Otherwise the API could show the model different
// work than an approval would approve.
func verified(name string, do toolFunc) toolFunc {
	isPart, shows := verifiers[name]
	if !shows {
		return do
	}
	return func(ctx context.Context, caller *client.Client, args map[string]any) (any, error) {
		result, err := do(ctx, caller, args)
		if err != nil || !isWork(result) {
			return result, err
		}
		work, err := caller.SubmittedWork(ctx, arguments(args).id("task_id"))
		if err != nil {
			return nil, err
		}
		if !isPart(args, result, work) {
			return nil, client.ErrOtherWork
		}
		return result, nil
	}
}

// isWork reports whether a result shows a human's file, or a submission for a task that has not
// ended.
func isWork(result any) bool {
	switch value := result.(type) {
	case work:
		return wordsOf(recordOf(value)["uploaded_by"]) == string(gen.PartyHuman)
	case map[string]any:
		switch gen.TaskStatus(wordsOf(value["status"])) { //nolint:exhaustive // in all other statuses the task has not ended
		case gen.TaskStatusApproved, gen.TaskStatusRejected, gen.TaskStatusCancelled:
			return false
		}
		return wordsOf(value["submission_note"])+wordsOf(value["proof_url"]) != ""
	}
	return false
}

// recordOf returns the file record in a result.
func recordOf(result any) map[string]any {
	w, _ := result.(work)
	file, _ := w.File.(map[string]any)
	return file
}

// wordsOf returns a string value, whether it is wrapped or not.
func wordsOf(value any) string {
	switch value := value.(type) {
	case mark:
		return value.Text
	case string:
		return value
	}
	return ""
}
