package server

// NextPaths is exported for the test that compares it with openapi.yaml.
var NextPaths = nextPaths

// MaxStreamsEach is exported for the test that reaches this limit.
const MaxStreamsEach = maxStreamsEach

// EventPoll is exported for tests that wait for a poll.
const EventPoll = eventPoll
