"""Hooks that add what the document does not contain: the caller and existing records.

TASKMARKET_AS selects an agent or humans as the caller, TASKMARKET_RECORDS names the
file with the identifiers of real records, and TASKMARKET_CREDENTIALS_URL is the URL that
supplies requests and credentials that need a wallet.
"""

import atexit
import json
import os
import re
import urllib.request
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from zlib import crc32

import schemathesis
from schemathesis.generation.meta import TestPhase

AGENT = os.environ["TASKMARKET_AS"] == "agent"
CREDENTIALS_URL = os.environ["TASKMARKET_CREDENTIALS_URL"]
with open(os.environ["TASKMARKET_RECORDS"], encoding="utf-8") as file:
    RECORDS = json.load(file)

COOKIE = "taskmarket_session"
IDENTIFIER = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


def ask(what):
    """Return the response of the credential server."""
    with urllib.request.urlopen(f"{CREDENTIALS_URL}/{what}", timeout=60) as answer:
        return json.load(answer)


def tomorrow():
    return (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds")


def close(schema):
    """Refuse members and values that the document does not list: clients accept them, but no response has any."""
    if "properties" in schema:
        schema["additionalProperties"] = False
    if "x-extensible-enum" in schema:
        schema["enum"] = schema["x-extensible-enum"]
    for member in schema.get("properties", {}).values():
        close(member)
    if "items" in schema:
        close(schema["items"])


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Mark the operations for which the caller has credentials; only those are tested.

    Public operations are tested only as the agent. Over plain http the cookie has another name.
    """
    raw_schema["components"]["securitySchemes"]["Session"]["name"] = COOKIE
    for name, schema in raw_schema["components"]["schemas"].items():
        if not name.endswith("Request"):
            close(schema)
    # The document describes the data of an event; Schemathesis checks the whole event.
    events = raw_schema["paths"]["/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    events["schema"] = {"type": "object", "required": ["id", "event", "data"], "additionalProperties": {"type": "string"}}
    own = "ApiKey" if AGENT else "Session"
    for item in raw_schema["paths"].values():
        for operation in item.values():
            ways = operation["security"]
            operation["x-tried"] = any(own in way for way in ways) or AGENT and not any(ways)
            if operation["x-tried"]:
                operation["security"] = [way for way in ways if own in way or not way]
    there = {operation["operationId"] for item in raw_schema["paths"].values() for operation in item.values()}
    if gone := {*SIGNED, *LIKELY, *COMPLETE, *SPECIAL, "rotateAPIKey", "logout"} - there:
        raise LookupError(f"openapi.yaml lacks operations that these hooks name: {', '.join(sorted(gone))}")


class Credentials:
    """The caller's current credentials: some operations replace or end them."""

    def __init__(self):
        self.held = {}

    def of(self, who):
        if who not in self.held:
            self.held[who] = ask(who)
        return self.held[who]


credentials = Credentials()


def caller(operation):
    if AGENT:
        return "key"
    return "session/validator" if "verdicts" in operation.tags else "session/human"


@schemathesis.auth(cache_by_key=None, refresh_interval=None)
class Caller:
    def get(self, case, context):
        if not case.operation.definition.raw["security"]:
            return None
        return credentials.of(caller(case.operation))

    def set(self, case, data, context):
        if AGENT:
            case.headers["X-API-Key"] = data["key"]
            return
        case.cookies[COOKIE] = data["cookie"]
        if case.method != "GET":
            case.headers["X-CSRF-Token"] = data["csrf"]
            case.headers["Origin"] = re.match(r"https?://[^/]+", case.operation.base_url)[0]


@schemathesis.hook
def after_call(context, case, response):
    """Record changes of the credentials, and new records."""
    known.update(IDENTIFIER.findall(response.content))
    name = case.operation.definition.raw["operationId"]
    if case.method != case.operation.method.upper():
        return
    answers[name][response.status_code] += 1
    if response.status_code != 200:
        return
    if name == "rotateAPIKey":
        credentials.held["key"] = {"key": response.json()["api_key"]}
    elif name in ("logout", "logoutEverywhere", "logoutSession"):
        credentials.held.clear()


known = set()
answers = defaultdict(Counter)


@atexit.register
def report():
    """Write how often each operation returned each status."""
    with open(os.environ["TASKMARKET_ANSWERS"], "w", encoding="utf-8") as out:
        json.dump(answers, out, indent=1, sort_keys=True)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Use existing records and signed requests in positive cases."""
    operation = case.operation.definition.raw["operationId"]
    if operation == "streamEvents" and case.query.get("follow") in (None, True, "true"):
        case.query["follow"] = "false"  # otherwise the response would not end
    if case.meta is None or case.meta.generation.mode.is_negative or case.method != case.operation.method.upper():
        return
    choice = crc32(repr((case.path_parameters, case.body)).encode())
    if operation in SIGNED and choice % 2 and (AGENT or operation not in KEYED):
        put(case, ask(operation))
        return
    drawn = any(str(value).encode() in known for value in case.path_parameters.values())
    if not drawn or operation in SPECIAL and choice % 2 and case.meta.phase.name != TestPhase.STATEFUL:
        name_record(case, operation, choice)
    if isinstance(case.body, dict):
        for member in LIKELY.get(operation, {}).keys() & case.body.keys():
            case.body[member] = LIKELY[operation][member]
    if operation in COMPLETE and choice % 3:
        case.body, case.media_type = dict(COMPLETE[operation]), "application/json"
    if "cursor" in case.query:
        case.query.pop("cursor" if choice % 4 else "page", None)


# Operations for which the credential server prepares requests.
SIGNED = {
    "registerAgent", "recoverAPIKey", "verifyAgent", "verifyAgentMe", "verifyHuman", "loginWithEthereum", "postVerdict",
    "logoutSession", "eraseAccount",
}

# Those that a new agent sends, with the API key of this agent.
KEYED = {"eraseAccount"}

# Values that are valid in content, not only in format.
LIKELY = {
    "createTask": {"escrow_amount": "20000000000000000", "deadline": tomorrow()},
    "submitWork": {"file_ids": []},
    "startConversation": {"username": RECORDS["profiles"][AGENT]["username"]},
}

# Bodies with members that only some records require, or that depend on each other.
COMPLETE = {
    "rejectApplication": {"reason": "The harbour is closed."},
    "createReport": {"subject_type": "profile", "subject": RECORDS["profiles"][AGENT]["username"], "category": "spam"},
}


def put(case, prepared):
    """Replace the case with the prepared request."""
    if "body" in prepared:
        case.body = prepared["body"]
    for name, value in prepared.get("path", {}).items():
        case.path_parameters[name] = value
    # Do not replace the key of a check that sends the request without a valid one.
    if "key" in prepared and case.headers.get("X-API-Key") == credentials.of("key")["key"]:
        case.headers["X-API-Key"] = prepared["key"]


def name_record(case, operation, choice):
    """In most cases, put a record's identifiers into the request."""
    special = SPECIAL.get(operation) if choice % 2 else None
    records = [r for r in RECORDS.get(special or kind_of(case), []) if set(case.path_parameters) <= set(r)]
    if choice % 5 == 0 or not records:
        return
    record = records[choice // 10 % len(records)]
    for name in case.path_parameters:
        case.path_parameters[name] = record[name]
    if isinstance(case.body, dict):
        case.body.update((name, record[name]) for name in case.body.keys() & record.keys())


# For each operation, the kind of record with which it succeeds.
SPECIAL = {
    "confirmTaskFunding": "fundings",
    "confirmApplication": "bindings",
    "answerDispute": "disputes",
    "submitWork": "bindings",
    "reviewTask": "ended",
    "approveTask": "ended",
    "applyForTask": "openings",
    "cancelTask": "openings",
}

PARAMETERS = {"appId": "applications", "fileId": "files", "conversationId": "conversations", "username": "profiles",
              "noticeId": "notices"}


def kind_of(case):
    for name, kind in PARAMETERS.items():
        if name in case.path_parameters:
            return kind
    return case.operation.path.split("/")[1]
