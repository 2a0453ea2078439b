package onchain

// Conditions on files, with the alias f, that depend on the work whose hash is on the chain.
const (
	// ChainSubmission joins the submission (s) whose hash is on the chain.
	ChainSubmission = `submissions s
			JOIN tasks t ON t.id = s.task_id
			JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
				AND e.work_hash = s.work_hash`

	// FileSubmitted is true if the file belongs to the submission whose hash is on the chain.
	FileSubmitted = `EXISTS (
			SELECT 1
			FROM ` + ChainSubmission + `
			JOIN submission_files sf ON sf.submission_id = s.id
			WHERE s.task_id = f.task_id AND sf.file_id = f.id)`

	// fileEvidence is true if the human uploaded the file after creating the submission whose hash
	// is on the chain.
	fileEvidence = `EXISTS (
			SELECT 1
			FROM ` + ChainSubmission + `
			WHERE s.task_id = f.task_id AND s.human_id = f.uploader_id AND s.created_at < f.created_at)`

	// FileShared is true if users other than the uploader can read the file. The agent must not get
	// work without paying, so a human's file that is neither submitted nor evidence is not shared.
	FileShared = `(f.uploader_kind = 'agent' OR ` + FileSubmitted + ` OR ` + fileEvidence + `)`
)
