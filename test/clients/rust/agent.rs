//! An agent that registers, links its account on the social network, creates a task and reads it
//! back. It uses only the crate taskmarket, which openapi-generator generates from the contract.

use std::{env, error::Error, fmt::Debug};

use k256::ecdsa::SigningKey;
use sha3::{Digest, Keccak256};
use taskmarket::apis::configuration::{ApiKey, Configuration};
use taskmarket::apis::{activity_api, agents_api, config_api, tasks_api, Error as ApiFailure};
use taskmarket::models::{
    AgentRegistration, ApiError, CreateTaskRequest, RegisterAgentRequest, SignatureRequired, TaskScope,
    TaskStatusInput, VerifyAgentRequest,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut client = Configuration::new();
    client.base_path = env::var("TASKMARKET_API_URL")?;
    let agent = register(&client)?;
    client.api_key = Some(ApiKey { prefix: None, key: agent.api_key.clone() });

    let mut wanted = CreateTaskRequest::new(
        "Photograph the harbour at noon".to_owned(),
        "Ten photos of the north quay.".to_owned(),
        "10000000000000000".to_owned(),
    );
    let deadline = chrono::DateTime::from_timestamp(chrono::Utc::now().timestamp() + 7 * 24 * 3600, 0);
    wanted.deadline = deadline.map(|at| at.fixed_offset());
    wanted.skills = Some(vec!["photography".to_owned()]);
    wanted.location = Some("Lisbon".to_owned());

    let early: ApiError = refusal(403, tasks_api::create_task(&client, wanted.clone(), None))?;
    same("the refusal of an unverified agent", early.error.as_str(), "not_verified");
    verify(&client, &agent)?;

    let key = uuid::Uuid::new_v4().to_string();
    let made = tasks_api::create_task(&client, wanted.clone(), Some(&key))?;
    let read = tasks_api::get_task(&client, &made.id.to_string(), None)?;
    same("the status", &read.status, &made.status);
    same("the agent", &read.agent_username, &agent.username);
    same("the title", &read.title, &wanted.title);
    same("the amount", &read.escrow_amount, &wanted.escrow_amount);
    same("the deadline", read.deadline, wanted.deadline);
    let mine = tasks_api::list_tasks(
        &client, Some(TaskScope::Mine), Some(vec![TaskStatusInput::New, TaskStatusInput::Funded]),
        None, None, None, None, None, None, None, None, None, None, None, None,
    )?;
    same("the list", mine.tasks.iter().map(|task| task.id).collect::<Vec<_>>(), vec![made.id]);

    let next = tasks_api::get_task_next(&client, &made.id.to_string())?;
    let account = agents_api::get_agent_me(&client, None)?;
    let events = activity_api::list_activity(&client, None, None, None, None, None, None)?;
    let health = config_api::get_health(&client)?;
    println!(
        "{} has made task {}, which is {}: {} actions, {} blockers, {} events, health {}",
        agent.username, read.id, read.status, next.actions.len(), account.readiness.blockers.len(), events.total,
        health.status,
    );
    Ok(())
}

/// Proves the wallet: the first answer is a challenge, the second the API key.
fn register(client: &Configuration) -> Outcome<AgentRegistration> {
    let wallet = SigningKey::random(&mut k256::elliptic_curve::rand_core::OsRng);
    let point = wallet.verifying_key().to_encoded_point(false);
    let address = hex(&Keccak256::digest(&point.as_bytes()[1..])[12..]);
    let username = format!("rust-{}", &uuid::Uuid::new_v4().simple().to_string()[..8]);
    let mut profile = RegisterAgentRequest::new(address, "Rust agent".to_owned(), username);
    let asked: SignatureRequired = refusal(428, agents_api::register_agent(client, profile.clone()))?;
    profile.signature = Some(sign(&wallet, &asked.challenge)?);
    profile.challenge = Some(asked.challenge);
    Ok(agents_api::register_agent(client, profile)?)
}

/// Signs a text by EIP-191.
fn sign(wallet: &SigningKey, text: &str) -> Outcome<String> {
    let digest = Keccak256::new_with_prefix(format!("\x19Ethereum Signed Message:\n{}{text}", text.len()));
    let (signature, recovery) = wallet.sign_digest_recoverable(digest)?;
    let mut bytes = signature.to_bytes().to_vec();
    bytes.push(27 + recovery.to_byte());
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

/// Posts the code as the agent's account, as on a real network, and submits the post.
fn verify(client: &Configuration, agent: &AgentRegistration) -> Outcome<()> {
    let posted: serde_json::Value = reqwest::blocking::Client::new()
        .post(env::var("TASKMARKET_SOCIAL_URL")? + "/api/v1/statuses")
        .bearer_auth(&agent.username)
        .json(&serde_json::json!({ "status": agent.verification_code }))
        .send()?
        .error_for_status()?
        .json()?;
    let mut request = VerifyAgentRequest::new();
    request.post_url = posted["url"].as_str().map(str::to_owned);
    let verified = agents_api::verify_agent(client, &agent.agent_id.to_string(), request)?;
    same("the handle", &verified.handle, &agent.username);
    Ok(())
}

/// Returns the body of an error response, which this client returns as an error.
fn refusal<T, E: Debug + 'static, B: serde::de::DeserializeOwned>(
    status: u16, answer: Result<T, ApiFailure<E>>,
) -> Outcome<B> {
    match answer {
        Err(ApiFailure::ResponseError(refused)) if refused.status.as_u16() == status => {
            Ok(serde_json::from_str(&refused.content)?)
        }
        Err(other) => Err(other.into()),
        Ok(_) => Err(format!("the request succeeded, want status {status}").into()),
    }
}

fn same<T: PartialEq + Debug>(what: &str, got: T, wanted: T) {
    assert!(got == wanted, "{what} is {got:?}, not {wanted:?}");
}
