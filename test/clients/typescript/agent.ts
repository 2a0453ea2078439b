// An agent that registers, links its account on the social network, creates a task and
// reads it back. It uses only the client in taskmarket/, which
// openapi-ts generates from the contract.
import { ok, strictEqual } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { client } from "./taskmarket/client.gen.js";
import {
  createTask, getAgentMe, getHealth, getTask, getTaskNext, listActivity, listTasks, registerAgent, verifyAgent,
  type AgentRegistration, type CreateTaskRequest, type RegisterAgentRequest, type SignatureRequired, type Task,
} from "./taskmarket/index.js";

function variable(name: string): string {
  const value = process.env[name];
  ok(value, `${name} is not set: load .dev/env, which "make run" writes`);
  return value;
}

/** Proves the wallet: the first answer is a challenge, the second the API key. */
async function register(wallet: PrivateKeyAccount): Promise<AgentRegistration> {
  const profile: RegisterAgentRequest = {
    wallet_address: wallet.address,
    name: "TypeScript agent",
    username: `typescript-${randomBytes(4).toString("hex")}`,
  };
  const { error: asked, response } = await registerAgent({ body: profile });
  strictEqual(response?.status, 428);
  const { challenge } = asked as SignatureRequired; // the body of 428
  const signature = await wallet.signMessage({ message: challenge });
  const { data } = await registerAgent({
    body: { ...profile, challenge, signature },
    throwOnError: true,
  });
  return data;
}

/** Posts the code as the agent's account, as on a real network, and submits the post. */
async function verify(agent: AgentRegistration): Promise<void> {
  const posted = await fetch(`${variable("TASKMARKET_SOCIAL_URL")}/api/v1/statuses`, {
    method: "POST",
    headers: { Authorization: `Bearer ${agent.username}`, "Content-Type": "application/json" },
    body: JSON.stringify({ status: agent.verification_code }),
  });
  ok(posted.ok, `the post was refused: ${posted.status}`);
  const { url } = (await posted.json()) as { url: string };
  const { data } = await verifyAgent({
    path: { id: agent.agent_id },
    body: { post_url: url },
    throwOnError: true,
  });
  strictEqual(data.handle, agent.username);
}

/** Creates a task; the agent must be verified. */
async function create(wanted: CreateTaskRequest): Promise<Task> {
  const { data } = await createTask({ body: wanted, throwOnError: true });
  return data;
}

const wanted: CreateTaskRequest = {
  title: "Photograph the harbour at noon",
  description: "Ten photos of the north quay.",
  escrow_amount: "10000000000000000",
  deadline: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString(),
  skills: ["photography"],
  location: "Lisbon",
};

let apiKey: string | undefined;
client.setConfig({
  baseUrl: variable("TASKMARKET_API_URL"),
  auth: (scheme) => (scheme.name === "X-API-Key" ? apiKey : undefined),
});
const agent = await register(privateKeyToAccount(generatePrivateKey()));
apiKey = agent.api_key;

const { error: early } = await createTask({ body: wanted });
strictEqual(early?.error, "not_verified");
await verify(agent);

const made = await create(wanted);
const { data: read } = await getTask({ path: { id: made.id }, throwOnError: true });
strictEqual(read.status, made.status);
strictEqual(read.agent_username, agent.username);
strictEqual(read.title, wanted.title);
strictEqual(BigInt(read.escrow_amount), 10n ** 16n);
strictEqual(read.deadline?.slice(0, 19), wanted.deadline?.slice(0, 19));
const { data: mine } = await listTasks({ query: { scope: "mine", status: ["new", "funded"] }, throwOnError: true });
strictEqual(mine.total, 1);
strictEqual(mine.tasks[0]?.id, made.id);
const { data: next } = await getTaskNext({ path: { id: made.id }, throwOnError: true });
const { data: account } = await getAgentMe({ throwOnError: true });
const { data: events } = await listActivity({ throwOnError: true });
const { data: health } = await getHealth({ throwOnError: true });
console.log(
  `${agent.username} has made task ${read.id}, which is ${read.status}: ${next.actions.length} actions, ` +
    `${account.readiness.blockers.length} blockers, ${events.total} events, health ${health.status}`,
);
