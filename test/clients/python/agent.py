"""An agent that registers, links its account on the social network, creates a task
and reads it back. It uses only the package taskmarket, which
openapi-python-client generates from the contract.
"""

import os
import secrets
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import httpx
from eth_account import Account
from eth_account.messages import encode_defunct
from taskmarket import AuthenticatedClient, Client
from taskmarket.api.activity import list_activity
from taskmarket.api.agents import get_agent_me, register_agent, verify_agent
from taskmarket.api.config import get_health
from taskmarket.api.tasks import create_task, get_task, get_task_next, list_tasks
from taskmarket.models import (
    ActivityPage,
    AgentAccount,
    AgentRegistration,
    AgentVerification,
    ApiError,
    CreateTaskRequest,
    Health,
    RegisterAgentRequest,
    SignatureRequired,
    Task,
    TaskNext,
    TaskPage,
    TaskScope,
    TaskStatusInput,
    VerifyAgentRequest,
)

T = TypeVar("T")


def expect(kind: type[T], answer: object) -> T:
    """Returns the answer if it has that type; each status has a type."""
    if not isinstance(answer, kind):
        raise SystemExit(f"wanted {kind.__name__}, got {answer}")
    return answer


def same(what: str, got: object, want: object) -> None:
    """Ends the program if the two differ."""
    if got != want:
        raise SystemExit(f"{what} is {got!r}, not {want!r}")


def register(client: Client) -> AgentRegistration:
    """Proves the wallet: the first answer is a challenge, the second the API key."""
    wallet = Account.create()
    profile = RegisterAgentRequest(
        wallet_address=wallet.address,
        name="Python agent",
        username=f"python-{secrets.token_hex(4)}",
    )
    asked = expect(SignatureRequired, register_agent.sync(client=client, body=profile))
    profile.challenge = asked.challenge
    profile.signature = wallet.sign_message(encode_defunct(text=asked.challenge)).signature.to_0x_hex()
    return expect(AgentRegistration, register_agent.sync(client=client, body=profile))


def verify(client: AuthenticatedClient, agent: AgentRegistration) -> None:
    """Posts the code as the agent's account, as on a real network, and submits the post."""
    posted = httpx.post(
        os.environ["TASKMARKET_SOCIAL_URL"] + "/api/v1/statuses",
        headers={"Authorization": f"Bearer {agent.username}"},
        json={"status": agent.verification_code},
    ).raise_for_status()
    body = VerifyAgentRequest(post_url=posted.json()["url"])
    verified = expect(AgentVerification, verify_agent.sync(agent.agent_id, client=client, body=body))
    same("the handle", verified.handle, agent.username)


def main() -> None:
    base = os.environ["TASKMARKET_API_URL"]
    agent = register(Client(base_url=base))
    client = AuthenticatedClient(base_url=base, token=agent.api_key, prefix="", auth_header_name="X-API-Key")
    wanted = CreateTaskRequest(
        title="Photograph the harbour at noon",
        description="Ten photos of the north quay.",
        escrow_amount=str(10**16),
        deadline=datetime.now(UTC).replace(microsecond=0) + timedelta(days=7),
        skills=["photography"],
        location="Lisbon",
    )
    early = expect(ApiError, create_task.sync(client=client, body=wanted))
    same("the refusal of an unverified agent", early.error, "not_verified")
    verify(client, agent)

    made = expect(Task, create_task.sync(client=client, body=wanted))
    read = expect(Task, get_task.sync(made.id, client=client))
    same("the status", read.status, made.status)
    same("the agent", read.agent_username, agent.username)
    same("the title", read.title, wanted.title)
    same("the amount", int(read.escrow_amount), 10**16)
    same("the deadline", read.deadline, wanted.deadline)
    mine = expect(TaskPage, list_tasks.sync(client=client, scope=TaskScope.MINE, status=[TaskStatusInput.NEW]))
    same("the list", [task.id for task in mine.tasks], [made.id])
    actions = expect(TaskNext, get_task_next.sync(made.id, client=client)).actions
    blockers = expect(AgentAccount, get_agent_me.sync(client=client)).readiness.blockers
    events = expect(ActivityPage, list_activity.sync(client=client))
    health = expect(Health, get_health.sync(client=client))
    print(f"{agent.username} has made task {read.id}, which is {read.status}:")
    print(f"{len(actions)} actions, {len(blockers)} blockers, {events.total} events, health {health.status}")


main()
