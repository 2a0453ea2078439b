// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ApplicationStaking} from "../src/ApplicationStaking.sol";
import {Escrow} from "../src/Escrow.sol";
import {Market} from "./utils/Market.sol";
import {Signature, signPermit} from "./utils/Permits.sol";
import {Vm, vm} from "./utils/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @dev What each flow costs as a transaction of its own, on the artifacts that ship, beside the
/// least it could cost. gas.md is the snapshot: UPDATE_GAS=true writes it, otherwise any difference
/// fails. All balances and nonces that a flow touches are non-zero before.
///
/// forge-config: default.isolate = true
contract GasTest is Market {
    /// @dev What a flow cannot do without, in the terms of the gas schedule.
    struct Needs {
        uint256 created; // slots from zero
        uint256 changed; // slots from a value to another
        uint256 read; // slots only read
        uint256 touched; // contracts called beside the first
        uint256 signatures; // ecrecover
        bool allowance; // set by a permit and used up in the same transaction
    }

    uint256 private constant DEADLINE = START + 1 hours;
    string private table =
        "| flow | gas | floor | ratio | created, changed, read slots |\n| --- | ---: | ---: | ---: | --- |\n";
    uint256 private happyPath;

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
        // One whole life and one open task before: nothing below is a first time.
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
        uint256 taskId = _measurePost();
        uint256 applicationId = _measureApply(taskId);
        _measure(
            "accept",
            agent,
            address(escrow),
            abi.encodeCall(escrow.acceptApplicationForTask, (taskId, applicationId)),
            Needs(0, 2, 5, 1, 0, false)
        );
        _measure(
            "submit",
            human,
            address(escrow),
            abi.encodeCall(escrow.submitTask, (taskId, WORK)),
            Needs(1, 1, 2, 1, 0, false)
        );
        _measure(
            "approve",
            agent,
            address(escrow),
            abi.encodeCall(escrow.agentApproveTask, (taskId)),
            Needs(0, 1, 2, 1, 0, false)
        );
        _measure(
            "release by 3 verdicts",
            stranger,
            address(escrow),
            abi.encodeCall(
                escrow.approveSubmission, (taskId, _signed(escrow.verdictDigest(taskId, true), 3))
            ),
            Needs(0, 6, 7, 2, 3, false)
        );
        _measureOthers();
        _line("all of the above, from post to release", happyPath, 0, "");
        _compare();
    }

    function _measurePost() private returns (uint256 taskId) {
        Signature memory permit = _permit(AGENT_KEY, address(escrow), AMOUNT);
        bytes memory call = abi.encodeWithSignature(
            "postTaskWithPermit(uint256,uint16,bytes32,uint256,uint8,bytes32,bytes32)",
            AMOUNT,
            FEE,
            TERMS,
            DEADLINE,
            permit.v,
            permit.r,
            permit.s
        );
        // Created: the task. Changed: counter, nonce, two balances. Read: is the caller a validator?
        _measure("post with permit", agent, address(escrow), call, Needs(2, 4, 1, 1, 1, true));
        return escrow.taskCount();
    }

    function _measureApply(uint256 taskId) private returns (uint256 applicationId) {
        Signature memory permit = _permit(HUMAN_KEY, address(staking), STAKE);
        bytes memory call = abi.encodeCall(
            ApplicationStaking.lockApplicationStakeWithPermit,
            (taskId, STAKE, DEADLINE, permit.v, permit.r, permit.s)
        );
        // Created: application and stake. Changed: counter, nonce, two balances. Read: the pause,
        // whether the caller is a validator, and the two slots of the task.
        _measure("apply with permit", human, address(staking), call, Needs(2, 4, 4, 2, 1, true));
        for (applicationId = 1; staking.getStakeTask(applicationId) != taskId;) {
            ++applicationId;
        }
    }

    function _measureOthers() private {
        uint256 total = happyPath;
        vm.prank(agent);
        token.approve(address(escrow), type(uint256).max);
        vm.prank(human);
        token.approve(address(staking), type(uint256).max);
        (uint256 posted, uint256 active) = (_post(), _active());
        (uint256 submitted, uint256 disputed) = (_submitted(), _disputed(agent));
        _escrowCall(
            "cancel, posted",
            agent,
            abi.encodeCall(escrow.cancelTask, (posted)),
            Needs(0, 3, 1, 1, 0, false)
        );
        _escrowCall(
            "cancel, active",
            agent,
            abi.encodeCall(escrow.cancelTask, (active)),
            Needs(0, 6, 2, 2, 0, false)
        );
        _escrowCall(
            "dispute",
            agent,
            abi.encodeCall(escrow.disputeTask, (submitted)),
            Needs(0, 1, 1, 0, 0, false)
        );
        bytes[] memory signatures = _signed(escrow.verdictDigest(disputed, false), 3);
        _escrowCall(
            "refund by 3 verdicts",
            stranger,
            abi.encodeCall(escrow.rejectSubmission, (disputed, signatures)),
            Needs(0, 6, 7, 2, 3, false)
        );
        vm.warp(START + 130 hours);
        _escrowCall(
            "settle",
            stranger,
            abi.encodeCall(escrow.settle, (submitted)),
            Needs(0, 6, 2, 2, 0, false)
        );
        happyPath = total;
    }

    function _escrowCall(string memory flow, address caller, bytes memory call, Needs memory needs)
        private
    {
        _measure(flow, caller, address(escrow), call, needs);
    }

    function _measure(
        string memory flow,
        address caller,
        address target,
        bytes memory call,
        Needs memory needs
    ) private {
        vm.warp(block.timestamp + 60);
        vm.recordLogs();
        vm.prank(caller);
        (bool success,) = target.call(call);
        uint256 used = vm.lastCallGas().gasTotalUsed;
        vm.assertTrue(success, flow);
        uint256 floor = _floor(call, needs);
        vm.assertLe(used * 100, floor * 115, flow);
        happyPath += used;
        string memory slots = string.concat(
            vm.toString(needs.created),
            ", ",
            vm.toString(needs.changed),
            ", ",
            vm.toString(needs.read)
        );
        _line(flow, used, floor, slots);
    }

    /// @dev 21000 + 4 or 16 per byte of calldata + 22100 per slot created + 5000 per slot changed +
    /// 2100 per slot only read + 2600 per further contract + 3100 per ecrecover + the logs. An
    /// allowance is a slot created, changed back, and refunded up to a fifth of the whole.
    function _floor(bytes memory call, Needs memory needs) private returns (uint256 gas) {
        gas = 21_000 + 22_100 * needs.created + 5000 * needs.changed + 2100 * needs.read + 2600
            * needs.touched + 3100 * needs.signatures;
        for (uint256 i = 0; i < call.length; ++i) {
            gas += call[i] == 0 ? 4 : 16;
        }
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            gas += 375 * (1 + logs[i].topics.length) + 8 * logs[i].data.length;
        }
        if (!needs.allowance) return gas;
        gas += 22_200;
        return gas - (gas / 5 < 19_900 ? gas / 5 : 19_900);
    }

    function _line(string memory flow, uint256 used, uint256 floor, string memory slots) private {
        table = string.concat(table, "| ", flow, " | ", vm.toString(used), " | ");
        if (floor == 0) {
            table = string.concat(table, " | | |\n");
            return;
        }
        uint256 hundredths = used * 100 / floor;
        string memory ratio = string.concat(
            vm.toString(hundredths / 100),
            hundredths % 100 < 10 ? ".0" : ".",
            vm.toString(hundredths % 100)
        );
        table = string.concat(table, vm.toString(floor), " | ", ratio, " | ", slots, " |\n");
    }

    function _compare() private {
        string memory text = string.concat(
            "# Gas\n\nWritten by `UPDATE_GAS=true forge test --match-contract GasTest` from the artifacts; any\n",
            "difference fails the test. Each flow is a transaction of its own in the steady state; its floor\n",
            "counts the slots that the rules need, as test/Gas.t.sol tells.\n\n",
            table
        );
        if (vm.envOr("UPDATE_GAS", false)) vm.writeFile("gas.md", text);
        vm.assertEq(
            keccak256(bytes(vm.readFile("gas.md"))), keccak256(bytes(text)), "gas.md differs"
        );
    }

    function _permit(uint256 key, address spender, uint256 amount)
        private
        view
        returns (Signature memory)
    {
        return signPermit(IERC20Permit(address(token)), key, spender, amount, DEADLINE);
    }
}
