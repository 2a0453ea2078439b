import { execFileSync } from 'node:child_process'
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { World } from './world'

/**
 * How a part of the test world fails: it sends no response, answers every request with 503, or handles
 * requests whose responses are then lost.
 */
export type Trouble = 'silent' | 'refusing' | 'losing answers'

/** A proxy between one browser and the test world that can make individual services fail. */
export class Gate {
  private readonly server: Server
  private readonly troubles = new Map<string, Trouble>()
  private readonly open = new Map<ServerResponse, string>()

  private constructor() {
    this.server = createServer((asked, answer) => this.pass(asked, answer))
  }

  static async start(): Promise<Gate> {
    const gate = new Gate()
    await new Promise<void>((ready) => gate.server.listen(0, '127.0.0.1', ready))
    return gate
  }

  /**
   * The proxy settings for the browser context. All requests pass through the proxy, including
   * those to localhost.
   */
  get proxy() {
    const { port } = this.server.address() as AddressInfo
    return { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' }
  }

  /** Makes all requests to the URL's host fail. Requests in progress are aborted. */
  shut(url: string, trouble: Trouble) {
    const { host } = new URL(url)
    this.troubles.set(host, trouble)
    for (const [answer, from] of this.open) if (from === host) answer.destroy()
  }

  /** Ends all failures. Requests that have no response yet are aborted. */
  restore() {
    this.troubles.clear()
    for (const [answer] of this.open) if (!answer.headersSent) answer.destroy()
  }

  end() {
    this.server.close()
    this.server.closeAllConnections()
  }

  private pass(asked: IncomingMessage, answer: ServerResponse) {
    const { host, hostname, port, pathname, search } = new URL(asked.url ?? '')
    const trouble = this.troubles.get(host)
    this.open.set(answer, host)
    answer.on('close', () => this.open.delete(answer))
    if (trouble === 'silent') return
    if (trouble === 'refusing') {
      answer.writeHead(503, { 'Content-Type': 'text/html' }).end('<h1>Service unavailable</h1>')
      return
    }
    const { method, headers } = asked
    const onward = request({ hostname, port, path: pathname + search, method, headers })
    onward.on('response', (made) => {
      if (this.troubles.get(host) === 'losing answers') {
        answer.destroy()
        return
      }
      answer.writeHead(made.statusCode ?? 502, made.headers)
      made.pipe(answer)
      made.on('error', () => answer.destroy())
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  }
}

/**
 * Suspends the chain's node while `during` runs. A suspended process leaves its connections open,
 * like a node that hangs.
 */
export async function withoutNode(world: World, during: () => Promise<void>) {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
  const processes = all.split('\n').map((line) => line.trim().split(/\s+/, 3))
  const node = processes.find(
    ([, parent, name]) => Number(parent) === world.pid && /anvil/.test(name ?? ''),
  )
  if (!node) throw new Error('the process of the test node was not found')
  const pid = Number(node[0])
  process.kill(pid, 'SIGSTOP')
  try {
    await during()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}
