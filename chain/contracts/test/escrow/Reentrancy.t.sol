// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {Signature} from "../utils/Permits.sol";
import {HookToken} from "../utils/Tokens.sol";
import {vm} from "../utils/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @dev Calls every state-changing function from within every function that transfers tokens. The
/// reentrancy guard rejects the token's nested call before the caller is checked.
contract ReentrancyTest is Market {
    HookToken private hook;

    function _newToken() internal override returns (IERC20) {
        hook = new HookToken();
        return hook;
    }

    function test_EscrowIntoEscrow() external {
        bytes[] memory inner = _escrowCalls(1, START, Signature(27, WORK, WORK));
        for (uint256 outer = 0; outer < 8; ++outer) {
            if (outer == 1) continue; // case 1 calls the staking contract, not the escrow
            for (uint256 i = 0; i < inner.length; ++i) {
                _assertBlocked(outer, true, inner[i]);
            }
        }
    }

    function test_StakingIntoStaking() external {
        bytes[] memory inner = _stakingCalls(1, START, Signature(27, WORK, WORK));
        for (uint256 outer = 1; outer < 8; ++outer) {
            if (outer == 5) continue; // case 5 cancels a task without a stake
            for (uint256 i = 0; i < inner.length; ++i) {
                _assertBlocked(outer, false, inner[i]);
            }
        }
    }

    /// @dev Runs one flow with a hook on its first token transfer. If the flow moves a stake, the
    /// hook runs during the stake's transfer, when both contracts are still executing.
    function _assertBlocked(uint256 outer, bool intoEscrow, bytes memory data) private {
        setUp();
        (address caller, address callee, bytes memory call) = _outerCall(outer);
        hook.arm(intoEscrow ? address(escrow) : address(staking), data);
        vm.prank(caller);
        (bool success,) = callee.call(call);
        vm.assertTrue(success, "the flow failed");
        vm.assertTrue(hook.called(), "the hook did not run");
        vm.assertTrue(!hook.succeeded(), "reentered");
        vm.assertEq(
            bytes32(hook.reason()),
            bytes32(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }

    /// @dev The two contracts have separate guards. An agent that gains control while a stake is
    /// being transferred cannot accept the application yet, but can cancel the task. The stake can
    /// then be withdrawn.
    function test_StakingIntoEscrow() external {
        agent = address(hook);
        _fund(agent);
        uint256 taskId = _post();
        hook.arm(address(escrow), abi.encodeCall(IEscrow.acceptApplicationForTask, (taskId, 1)));
        uint256 applicationId = _applyFor(taskId, human);
        vm.assertTrue(hook.called() && !hook.succeeded());

        hook.arm(address(escrow), abi.encodeCall(IEscrow.cancelTask, (taskId)));
        uint256 second = _applyFor(taskId, rival);
        vm.assertTrue(hook.succeeded());
        staking.withdrawStake(applicationId);
        staking.withdrawStake(second);
        _assertEmpty();
    }

    function _outerCall(uint256 outer) private returns (address, address, bytes memory) {
        address e = address(escrow);
        address s = address(staking);
        if (outer == 0) return (agent, e, abi.encodeCall(IEscrow.postTask, (AMOUNT, FEE, TERMS)));
        if (outer == 1) {
            uint256 posted = _post();
            return
                (
                    human,
                    s,
                    abi.encodeCall(IApplicationStaking.lockApplicationStake, (posted, STAKE))
                );
        }
        if (outer == 2) {
            uint256 active = _active();
            return (agent, e, abi.encodeCall(IEscrow.cancelTask, (active)));
        }
        if (outer == 3) {
            uint256 taskId = _approved();
            bytes[] memory signatures = _verdict(taskId, true);
            return (stranger, e, abi.encodeCall(IEscrow.approveSubmission, (taskId, signatures)));
        }
        if (outer == 4) {
            uint256 taskId = _disputed(agent);
            bytes[] memory signatures = _verdict(taskId, false);
            return (stranger, e, abi.encodeCall(IEscrow.rejectSubmission, (taskId, signatures)));
        }
        if (outer == 5) return (agent, e, abi.encodeCall(IEscrow.cancelTask, (_post())));
        uint256 late = _submitted();
        vm.warp(START + 37 days);
        if (outer == 6) return (stranger, e, abi.encodeCall(IEscrow.settle, (late)));
        return (human, e, abi.encodeCall(IEscrow.emergencyRelease, (late)));
    }
}
