package server

// NextPaths is exported for the test that compares it with the document.
var NextPaths = nextPaths

// MaxStreamsEach is exported for the test that reaches it.
const MaxStreamsEach = maxStreamsEach

// EventPoll is exported for the test that waits for it.
const EventPoll = eventPoll
