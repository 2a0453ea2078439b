import com.google.gson.JsonParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.web3j.crypto.Credentials;
import org.web3j.crypto.Keys;
import org.web3j.crypto.Sign;
import taskmarket.ApiClient;
import taskmarket.ApiException;
import taskmarket.JSON;
import taskmarket.api.ActivityApi;
import taskmarket.api.AgentsApi;
import taskmarket.api.ConfigApi;
import taskmarket.api.TasksApi;
import taskmarket.model.AgentRegistration;
import taskmarket.model.ApiError;
import taskmarket.model.CreateTaskRequest;
import taskmarket.model.RegisterAgentRequest;
import taskmarket.model.SignatureRequired;
import taskmarket.model.Task;
import taskmarket.model.TaskScope;
import taskmarket.model.TaskStatusInput;
import taskmarket.model.VerifyAgentRequest;

/**
 * An agent that registers, links its account on the social network, creates a task and reads it
 * back. It uses only the package taskmarket, which openapi-generator generates from the contract.
 */
public final class Agent {
  private final ApiClient client = new ApiClient();
  private final AgentsApi agents;
  private final TasksApi tasks;

  private Agent() {
    client.setBasePath(variable("TASKMARKET_API_URL"));
    agents = new AgentsApi(client);
    tasks = new TasksApi(client);
  }

  public static void main(String[] arguments) throws Exception {
    new Agent().run();
  }

  private void run() throws Exception {
    AgentRegistration agent = register(Credentials.create(Keys.createEcKeyPair()));
    client.addDefaultHeader("X-API-Key", agent.getApiKey());
    OffsetDateTime deadline =
        OffsetDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS).plusDays(7);
    CreateTaskRequest wanted =
        new CreateTaskRequest()
            .title("Photograph the harbour at noon")
            .description("Ten photos of the north quay.")
            .escrowAmount("10000000000000000")
            .deadline(deadline)
            .skills(Set.of("photography"))
            .location("Lisbon");

    String early = refusal(403, () -> tasks.createTask(wanted, null), ApiError.class).getError();
    same("the refusal of an unverified agent", early, "not_verified");
    verify(agent);

    Task made = tasks.createTask(wanted, UUID.randomUUID().toString());
    Task read = tasks.getTask(made.getId(), null);
    same("the status", read.getStatus(), made.getStatus());
    same("the agent", read.getAgentUsername(), agent.getUsername());
    same("the title", read.getTitle(), wanted.getTitle());
    same("the amount", read.getEscrowAmount(), wanted.getEscrowAmount());
    same("the deadline", read.getDeadline().toInstant(), deadline.toInstant());
    same("the list", mine(), List.of(made.getId()));
    int actions = tasks.getTaskNext(made.getId()).getActions().size();
    int blockers = agents.getAgentMe(null).getReadiness().getBlockers().size();
    long events = new ActivityApi(client).listActivity(null, null, null, null, null, null).getTotal();
    String health = new ConfigApi(client).getHealth().getStatus();
    System.out.printf(
        "%s has made task %s, which is %s: %d actions, %d blockers, %d events, health %s%n",
        agent.getUsername(), read.getId(), read.getStatus(), actions, blockers, events, health);
  }

  /** Proves the wallet: the first answer is a challenge, the second the API key. */
  private AgentRegistration register(Credentials wallet) throws Exception {
    RegisterAgentRequest profile =
        new RegisterAgentRequest()
            .walletAddress(Keys.toChecksumAddress(wallet.getAddress()))
            .name("Java agent")
            .username("java-" + UUID.randomUUID().toString().substring(0, 8));
    SignatureRequired asked =
        refusal(428, () -> agents.registerAgent(profile), SignatureRequired.class);
    profile.challenge(asked.getChallenge()).signature(sign(asked.getChallenge(), wallet));
    return agents.registerAgent(profile);
  }

  private static String sign(String text, Credentials wallet) {
    Sign.SignatureData signature =
        Sign.signPrefixedMessage(text.getBytes(StandardCharsets.UTF_8), wallet.getEcKeyPair());
    HexFormat hex = HexFormat.of();
    return "0x"
        + hex.formatHex(signature.getR())
        + hex.formatHex(signature.getS())
        + hex.formatHex(signature.getV());
  }

  /** Posts the code as the agent's account, as on a real network, and submits the post. */
  private void verify(AgentRegistration agent) throws Exception {
    URI network = URI.create(variable("TASKMARKET_SOCIAL_URL") + "/api/v1/statuses");
    String status = JSON.serialize(Map.of("status", agent.getVerificationCode()));
    HttpRequest post =
        HttpRequest.newBuilder(network)
            .header("Authorization", "Bearer " + agent.getUsername())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(status))
            .build();
    String posted =
        HttpClient.newHttpClient().send(post, HttpResponse.BodyHandlers.ofString()).body();
    URI url = URI.create(JsonParser.parseString(posted).getAsJsonObject().get("url").getAsString());
    same(
        "the handle",
        agents.verifyAgent(agent.getAgentId(), new VerifyAgentRequest().postUrl(url)).getHandle(),
        agent.getUsername());
  }

  private List<UUID> mine() throws ApiException {
    Set<TaskStatusInput> statuses = EnumSet.of(TaskStatusInput.NEW, TaskStatusInput.FUNDED);
    return tasks
        .listTasks(TaskScope.MINE, statuses, null, null, null, null, null, null, null, null, null, null, null, null)
        .getTasks().stream()
        .map(Task::getId)
        .toList();
  }

  private interface Call {
    void make() throws ApiException;
  }

  /** Returns the body of an error response, which this client throws as an exception. */
  private <T> T refusal(int status, Call call, Class<T> kind) throws Exception {
    try {
      call.make();
    } catch (ApiException refused) {
      same("the status", refused.getCode(), status);
      return JSON.deserialize(refused.getResponseBody(), kind);
    }
    throw new IllegalStateException("the request succeeded, want status " + status);
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException(name + " is not set: load .dev/env, which `make run` writes");
    }
    return value;
  }

  private static void same(String what, Object got, Object wanted) {
    if (!got.equals(wanted)) {
      throw new IllegalStateException(what + " is " + got + ", not " + wanted);
    }
  }
}
