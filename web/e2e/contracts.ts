import {
  type Address,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  type PrivateKeyAccount,
  parseAbi,
  toHex,
} from 'viem'
import { call } from './agent'
import type { World } from './world'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function postTask(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash)',
  'function acceptApplicationForTask(uint256 taskId, uint256 applicationId)',
  'function submitTask(uint256 taskId, bytes32 workHash)',
  'function agentApproveTask(uint256 taskId)',
  'function requiredStake(uint256 taskId) view returns (uint256)',
  'function lockApplicationStake(uint256 taskId, uint256 amount)',
])

interface Addresses {
  chain_id: number
  token: { address: Address }
  escrow_address: Address
  application_staking_address: Address
  fee_basis_points: number
}

/**
 * A task that was created only through contract calls. `workHash` is the hash of the work that is
 * submitted.
 */
export interface ChainTask {
  id: bigint
  stake: bigint
  payout: bigint
  workHash: Hex
}

/**
 * Calls the contracts of a test world directly. The service has no record of tasks created this
 * way.
 */
export class Contracts {
  readonly escrow: Address
  readonly token: Address
  private readonly staking: Address
  private readonly chainId: number
  private readonly fee: number
  private readonly rpcUrl: string

  private constructor(world: World, addresses: Addresses) {
    this.escrow = addresses.escrow_address
    this.token = addresses.token.address
    this.staking = addresses.application_staking_address
    this.chainId = addresses.chain_id
    this.fee = addresses.fee_basis_points
    this.rpcUrl = world.rpcUrl
  }

  static async of(world: World): Promise<Contracts> {
    return new Contracts(world, await call<Addresses>(world, 'GET', '/config/contracts'))
  }

  private get node() {
    return createPublicClient({ transport: http(this.rpcUrl), pollingInterval: 100 })
  }

  /** Sends a call and returns the first indexed argument of the contract's last event, an id. */
  private async act(
    by: PrivateKeyAccount,
    address: Address,
    functionName: string,
    args: unknown[],
  ) {
    const wallet = createWalletClient({ account: by, transport: http(this.rpcUrl) })
    const request = { chain: null, address, abi, functionName, args }
    const hash = await wallet.writeContract(request as never)
    const { status, logs } = await this.node.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${functionName} was reverted`)
    const last = logs.filter((log) => isAddressEqual(log.address, address)).at(-1)
    return BigInt(last?.topics[1] ?? 0)
  }

  /** Posts a task and returns its id in the escrow contract. */
  async post(agent: PrivateKeyAccount, amount: bigint): Promise<bigint> {
    await this.act(agent, this.token, 'approve', [this.escrow, amount])
    return this.act(agent, this.escrow, 'postTask', [amount, this.fee, toHex(0, { size: 32 })])
  }

  /** Posts a task, has the human apply, and accepts. */
  async hire(
    agent: PrivateKeyAccount,
    human: PrivateKeyAccount,
    amount: bigint,
  ): Promise<ChainTask> {
    const id = await this.post(agent, amount)
    const asked = { address: this.staking, abi, functionName: 'requiredStake', args: [id] } as const
    const stake = await this.node.readContract(asked)
    await this.act(human, this.token, 'approve', [this.staking, stake])
    const application = await this.act(human, this.staking, 'lockApplicationStake', [id, stake])
    await this.act(agent, this.escrow, 'acceptApplicationForTask', [id, application])
    const workHash = keccak256(toHex(`The work on task ${id}.`))
    return { id, stake, workHash, payout: amount - (amount * BigInt(this.fee)) / 10_000n }
  }

  async deliver(human: PrivateKeyAccount, { id, workHash }: ChainTask) {
    await this.act(human, this.escrow, 'submitTask', [id, workHash])
  }

  async approve(agent: PrivateKeyAccount, { id }: ChainTask) {
    await this.act(agent, this.escrow, 'agentApproveTask', [id])
  }

  /**
   * Signs a verdict on the disputed work and returns it in the form in which the service publishes it
   * after the decision.
   */
  async verdict(validator: PrivateKeyAccount, { id, workHash }: ChainTask, approved: boolean) {
    const signature = await validator.signTypedData({
      domain: {
        name: 'TaskmarketEscrow',
        version: '1',
        chainId: this.chainId,
        verifyingContract: this.escrow,
      },
      types: {
        Verdict: [
          { name: 'taskId', type: 'uint256' },
          { name: 'workHash', type: 'bytes32' },
          { name: 'round', type: 'uint8' },
          { name: 'approved', type: 'bool' },
        ],
      },
      primaryType: 'Verdict',
      message: { taskId: id, workHash, round: 1, approved },
    })
    return { approved, signature, validator_wallet_address: validator.address }
  }
}
