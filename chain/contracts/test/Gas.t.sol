// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ApplicationStaking} from "../src/ApplicationStaking.sol";
import {Escrow} from "../src/Escrow.sol";
import {GasReport} from "./utils/GasReport.sol";
import {Market} from "./utils/Market.sol";
import {Signature, signPermit} from "./utils/Permits.sol";
import {vm} from "./utils/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @dev Measures each flow's gas in a separate transaction, using the shipped artifacts, and
/// compares it with the flow's theoretical minimum. gas.md is the snapshot: UPDATE_GAS=true
/// rewrites it; otherwise any difference fails the test. Every balance and nonce that a flow
/// changes is non-zero beforehand.
///
/// forge-config: default.isolate = true
contract GasTest is Market, GasReport {
    uint256 private constant DEADLINE = START + 1 hours;
    string private constant NOT_SKETCHED = " | | ";

    // Labels for the contracts that gas.md compares with, stating what each gas figure covers.
    string private constant ERC_8183 = "ERC-8183 reference, in 7 transactions";
    string private constant KLEROS = "Kleros Escrow v2: no accept, submit, stake or fee";
    string private constant HUMAN_PROTOCOL = "HUMAN Protocol, at the same scope";
    string private constant VOTES = "three votes on the chain, without dispute or payout";

    uint256 private gasSoFar;
    uint256 private floorSoFar;

    function _newToken() internal override returns (IERC20) {
        bytes memory arguments = abi.encode("Task Token", "TASK", address(this), 1000 * FUNDS);
        return IERC20(_create("artifacts/TaskToken.json", arguments));
    }

    function _newEscrow() internal override returns (Escrow) {
        return _shippedEscrow();
    }

    function setUp() public override {
        super.setUp();
        vm.assertLe(address(escrow).code.length, 24_576, "code of the escrow");
        // Completes one task and posts another first, so that the flows measured below do not pay
        // for first-time writes to shared storage slots.
        _released();
        _applyFor(_post(), rival);
        vm.prank(human);
        token.approve(address(staking), 0);
        vm.prank(agent);
        token.approve(address(escrow), 0);
        for (uint256 key = AGENT_KEY; key <= HUMAN_KEY; key += HUMAN_KEY - AGENT_KEY) {
            Signature memory permit = _permit(key, address(escrow), 0);
            IERC20Permit(address(token))
                .permit(vm.addr(key), address(escrow), 0, DEADLINE, permit.v, permit.r, permit.s);
        }
    }

    function test_Snapshot() external {
        _measureHappyPath();
        _addPath("from post to release", gasSoFar, 578_404, PATH_GOAL, ERC_8183);
        _addPath("the sum of its floors", floorSoFar, 578_404, NO_GOAL, "the same");
        _addPath("from post to release", gasSoFar, 263_093, NO_GOAL, KLEROS);
        _addPath("from post to release", gasSoFar, 3_192_086, NO_GOAL, HUMAN_PROTOCOL);
        uint256 ruling = _measureOtherEnds();
        _addPath("dispute and refund by 3 verdicts", ruling, 237_515, PATH_GOAL, VOTES);
        _compareWithSnapshot();
    }

    function _measureHappyPath() private {
        uint256 taskId = _measurePost();
        uint256 applicationId = _measureApply(taskId);
        _escrowCall(
            "accept",
            agent,
            abi.encodeCall(escrow.acceptApplicationForTask, (taskId, applicationId)),
            Needs(0, 2, 5, 1, 0, false),
            "52644 | 53343 | 57748"
        );
        _escrowCall(
            "submit",
            human,
            abi.encodeCall(escrow.submitTask, (taskId, WORK)),
            Needs(1, 1, 2, 1, 0, false),
            "28469 | 29137 | 146835"
        );
        _escrowCall(
            "approve",
            agent,
            abi.encodeCall(escrow.agentApproveTask, (taskId)),
            Needs(0, 1, 2, 1, 0, false),
            NOT_SKETCHED
        );
        bytes[] memory signatures = _signed(escrow.verdictDigest(taskId, true), 3);
        // Slots changed: the task, the stake and four balances. Slots read: the task's other two
        // slots, the quorum, three validators and the application.
        _escrowCall(
            "release by 3 verdicts",
            stranger,
            abi.encodeCall(escrow.approveSubmission, (taskId, signatures)),
            Needs(0, 6, 7, 2, 3, false),
            " | 66559 | 237515"
        );
    }

    function _measurePost() private returns (uint256 taskId) {
        Signature memory permit = _permit(AGENT_KEY, address(escrow), AMOUNT);
        bytes memory call = _postWithTerms(DEADLINE, permit);
        // Slots created: the task. Slots changed: the counter, the nonce and two balances. Slots
        // read: whether the caller is a validator.
        _escrowCall(
            "post with permit", agent, call, Needs(2, 4, 1, 1, 1, true), "74838 | 78050 | 252940"
        );
        return escrow.taskCount();
    }

    function _measureApply(uint256 taskId) private returns (uint256 applicationId) {
        Signature memory permit = _permit(HUMAN_KEY, address(staking), STAKE);
        bytes memory call = abi.encodeCall(
            ApplicationStaking.lockApplicationStakeWithPermit,
            (taskId, STAKE, DEADLINE, permit.v, permit.r, permit.s)
        );
        // Slots created: the application and the stake. Slots changed: the counter, the nonce and
        // two balances. Slots read: the pause, whether the caller is a validator, and the task's
        // two slots.
        _measure(
            "apply with permit",
            human,
            address(staking),
            call,
            Needs(2, 4, 4, 2, 1, true),
            "76854 | 80556 | 150847"
        );
        for (applicationId = 1; staking.getStakeTask(applicationId) != taskId;) {
            ++applicationId;
        }
    }

    /// @dev Measures the other ways in which a task can end. Returns the gas used by a dispute and
    /// the refund that follows it.
    function _measureOtherEnds() private returns (uint256 ruling) {
        vm.prank(agent);
        token.approve(address(escrow), type(uint256).max);
        vm.prank(human);
        token.approve(address(staking), type(uint256).max);
        _measureCancellations();
        (uint256 submitted, uint256 disputed) = (_submitted(), _disputed(agent));
        ruling = _escrowCall(
            "dispute",
            agent,
            abi.encodeCall(escrow.disputeTask, (submitted)),
            Needs(0, 1, 1, 0, 0, false),
            "29801 | 30552 | 34251"
        );
        bytes[] memory signatures = _signed(escrow.verdictDigest(disputed, false), 3);
        ruling += _escrowCall(
            "refund by 3 verdicts",
            stranger,
            abi.encodeCall(escrow.rejectSubmission, (disputed, signatures)),
            Needs(0, 6, 7, 2, 3, false),
            NOT_SKETCHED
        );
        vm.warp(START + 130 hours);
        // Slots changed: the task, the stake and four balances. Slots read: the task's first slot
        // and the application.
        _escrowCall(
            "settle",
            stranger,
            abi.encodeCall(escrow.settle, (submitted)),
            Needs(0, 6, 2, 2, 0, false),
            "46055 | 48000 | 73644"
        );
    }

    function _measureCancellations() private {
        (uint256 posted, uint256 active) = (_post(), _active());
        _escrowCall(
            "cancel, posted",
            agent,
            abi.encodeCall(escrow.cancelTask, (posted)),
            Needs(0, 3, 1, 1, 0, false),
            "37245 | 41167 | 52068"
        );
        _escrowCall(
            "cancel, active",
            agent,
            abi.encodeCall(escrow.cancelTask, (active)),
            Needs(0, 6, 2, 2, 0, false),
            NOT_SKETCHED
        );
    }

    function _escrowCall(
        string memory flow,
        address caller,
        bytes memory call,
        Needs memory needs,
        string memory sketch
    ) private returns (uint256 used) {
        return _measure(flow, caller, address(escrow), call, needs, sketch);
    }

    function _measure(
        string memory flow,
        address caller,
        address target,
        bytes memory call,
        Needs memory needs,
        string memory sketch
    ) private returns (uint256 used) {
        vm.warp(block.timestamp + 60);
        vm.recordLogs();
        vm.prank(caller);
        (bool success,) = target.call(call);
        used = vm.lastCallGas().gasTotalUsed;
        vm.assertTrue(success, flow);
        uint256 floor = _floor(call, vm.getRecordedLogs(), needs);
        _addFlow(flow, used, floor, needs, sketch);
        (gasSoFar, floorSoFar) = (gasSoFar + used, floorSoFar + floor);
    }

    function _permit(uint256 key, address spender, uint256 amount)
        private
        view
        returns (Signature memory)
    {
        return signPermit(IERC20Permit(address(token)), key, spender, amount, DEADLINE);
    }
}
