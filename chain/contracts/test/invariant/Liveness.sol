// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {vm} from "../utils/Vm.sol";
import {AdministrationActions} from "./actions/AdministrationActions.sol";
import {FickleToken} from "./model/FickleToken.sol";

/// @dev L (liveness): from any state, with the contracts paused, one honest party per task and all
/// other accounts inactive or hostile, every task ends within 60 days, all tokens are paid out, and
/// only donations remain.
abstract contract Liveness is AdministrationActions {
    uint256 private constant PATIENCE = 60 days;

    function conclude(uint256 seed) external acts(seed) {
        uint256 until = block.timestamp + PATIENCE;
        if (fault != FickleToken.Fault.None) _misbehave(FickleToken.Fault.None);
        if (!rules.paused) _setPause(guardian, true);
        _cancelUndelivered();
        _disputeAll();
        vm.warp(block.timestamp + 29 days);
        _approveLate();
        _releaseDue(block.timestamp + 30 days);
        _withdrawStakes();
        _collectCredits();
        vm.assertLe(block.timestamp, until, "L within 60 days");
        address[2] memory custodies = _custodies();
        for (uint256 i = 0; i < 2; ++i) {
            uint256 left = token.balanceOf(custodies[i]);
            vm.assertEq(left, donated[custodies[i]], "L only donations remain");
        }
    }

    /// @dev Ends tasks without submitted work: the agent cancels, or the human resigns.
    function _cancelUndelivered() private {
        for (uint256 id = 1; id < tasks.length; ++id) {
            Task storage task = _task(id);
            bool active = task.status == IEscrow.Status.Active;
            if (!active && task.status != IEscrow.Status.Posted) continue;
            address honest = active && _once(2) ? task.human : task.agent;
            bytes memory refusal = _cancelled(honest, id);
            _must(honest, address(escrow), abi.encodeCall(escrow.cancelTask, (id)), refusal);
        }
    }

    /// @dev For about two thirds of the delivered tasks, the agent tries to open a dispute, to delay
    /// the payment.
    function _disputeAll() private {
        for (uint256 id = 1; id < tasks.length; ++id) {
            Task storage task = _task(id);
            if (!_isDelivered(task) || _once(3)) continue;
            bytes memory call = abi.encodeCall(escrow.disputeTask, (id));
            _do(task.agent, address(escrow), call, _disputed(task.agent, id));
        }
    }

    /// @dev Approves some submitted tasks. No activity after an approval can delay a timeout.
    function _approveLate() private {
        for (uint256 id = 1; id < tasks.length; ++id) {
            Task storage task = _task(id);
            if (!_isDelivered(task) || _once(2)) continue;
            bytes memory call = abi.encodeCall(escrow.agentApproveTask, (id));
            _do(task.agent, address(escrow), call, _agentApproved(task.agent, id));
        }
    }

    /// @dev Releases each payment as soon as the rules allow the human to do so without help.
    function _releaseDue(uint256 until) private {
        for (uint256 id = 1; id < tasks.length; ++id) {
            Task storage task = _task(id);
            if (!_isDelivered(task)) continue;
            uint256 emergencyAt = task.lastActivityAt + 30 days;
            bool bySettling = _settleableAt(task) <= emergencyAt;
            uint256 moment = bySettling ? _settleableAt(task) : emergencyAt;
            vm.assertLe(moment, until, "L the way out opens in time");
            if (moment > block.timestamp) vm.warp(moment);
            bytes memory call = bySettling
                ? abi.encodeCall(escrow.settle, (id))
                : abi.encodeCall(escrow.emergencyRelease, (id));
            bytes memory refusal = bySettling ? _settled(id) : _emergencyReleased(task.human, id);
            _must(task.human, address(escrow), call, refusal);
        }
    }

    /// @dev Withdraws all remaining stakes. Only the applicants act, whatever the task's status.
    function _withdrawStakes() private {
        for (uint256 id = 1; id < stakes.length; ++id) {
            Stake storage stake = _stake(id);
            if (stake.status != IApplicationStaking.StakeStatus.Locked) continue;
            bytes memory call = abi.encodeCall(staking.withdrawStake, (id));
            bytes memory refusal = _stakeWithdrawn(stake.human, id);
            _must(stake.human, address(staking), call, refusal);
        }
    }

    /// @dev Pays out all credits, after the token has unblocked the blocked accounts.
    function _collectCredits() private {
        address[2] memory custodies = _custodies();
        for (uint256 i = 0; i < allAccounts.length; ++i) {
            address account = allAccounts[i];
            if (refused[account]) _refuse(account, false);
            for (uint256 j = 0; j < 2; ++j) {
                if (credit[custodies[j]][account] == 0) continue;
                bytes memory call = abi.encodeCall(escrow.withdrawCredit, (account));
                _must(account, custodies[j], call, _withdrawnCredit(custodies[j], account));
            }
        }
    }

    function _must(address caller, address target, bytes memory call, bytes memory refusal)
        private
    {
        vm.assertTrue(_do(caller, target, call, refusal), "L an exit is blocked");
    }
}
