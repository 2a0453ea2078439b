package server

// NextPaths is open to the test that compares it with the document.
var NextPaths = nextPaths

// MaxStreamsEach is open to the test that reaches it.
const MaxStreamsEach = maxStreamsEach

// EventPoll is open to the test that waits for it.
const EventPoll = eventPoll
