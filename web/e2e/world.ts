import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { postTasks } from './agent'
import { folder } from './folder'

/** The test world that all stories share: the server, its chain and its users. */
export interface World {
  webUrl: string
  rpcUrl: string
  chainId: number
  social: string
  consoleUrl: string
  /** The id of the process that started all others. */
  pid: number
  /** The validators' keys. Two equal verdicts are a quorum. */
  validatorKeys: string[]
  /** The ids of the open tasks, by title. */
  tasks: Record<string, string>
}

declare module 'vitest' {
  interface ProvidedContext {
    world: World
  }
}

const root = resolve(import.meta.dirname, '../..')
const patience = 180_000

/**
 * Deletes the data of the previous test world. When running as root, the database is in another
 * folder, which a symbolic link points to.
 */
function forget() {
  const data = resolve(folder, 'postgres/pg')
  if (existsSync(data)) rmSync(realpathSync(data), { recursive: true })
  rmSync(folder, { recursive: true, force: true })
}

let server: ChildProcess | undefined

/** Starts `taskmarketd dev` and posts the stories' tasks. */
export async function setup(project: TestProject) {
  forget()
  mkdirSync(folder, { recursive: true })
  server = start()
  try {
    const variables = await awaitVariables(server)
    const world = {
      webUrl: variable(variables, 'WEB_URL'),
      rpcUrl: variable(variables, 'RPC_URL'),
      pid: Number(server.pid),
      chainId: Number(variable(variables, 'CHAIN_ID')),
      social: variable(variables, 'SOCIAL_URL'),
      consoleUrl: variable(variables, 'CONSOLE_URL'),
      validatorKeys: variable(variables, 'VALIDATOR_PRIVATE_KEYS').split(','),
    }
    project.provide('world', { ...world, tasks: await postTasks(world) })
  } catch (error) {
    await teardown()
    throw error
  }
}

/** Stops the test world after the last story. */
export async function teardown() {
  if (!server || server.exitCode !== null) return
  const ended = new Promise((done) => server?.once('exit', done))
  server.kill('SIGINT')
  await ended
}

function start(): ChildProcess {
  const log = openSync(resolve(folder, 'world.log'), 'w')
  return spawn(resolve(root, 'bin/taskmarketd'), ['dev', '--manual'], {
    cwd: root,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      TASKMARKET_DEV_DIR: folder,
      // Task messages have a low limit, so that a story can reach it even on a slow machine.
      TASKMARKET_RATE_LIMITS: '*=6000/min:1000,postTaskMessage=1/min:3',
    },
  })
}

async function awaitVariables(server: ChildProcess): Promise<Map<string, string>> {
  const end = Date.now() + patience
  while (Date.now() < end && server.exitCode === null) {
    try {
      const lines = readFileSync(resolve(folder, 'env'), 'utf8').trim().split('\n')
      return new Map(lines.map((line) => line.split(/=(.*)/s, 2) as [string, string]))
    } catch {
      await pause(100)
    }
  }
  throw new Error(`the test world did not start: see ${folder}/world.log`)
}

function variable(variables: Map<string, string>, name: string): string {
  const value = variables.get(`TASKMARKET_${name}`)
  if (!value) throw new Error(`the test world did not set TASKMARKET_${name}`)
  return value
}
