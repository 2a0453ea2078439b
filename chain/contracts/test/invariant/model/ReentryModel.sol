// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EndModel} from "./EndModel.sol";
import {FickleToken} from "./FickleToken.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @dev Models a reentrant call during a payment. The paying contract is locked, and so is the
/// escrow while it ends a task. A contract that is not locked behaves as usual, because its state
/// is already updated.
abstract contract ReentryModel is EndModel {
    enum Reentry {
        None,
        WithdrawCreditOfEscrow,
        Cancel,
        Settle,
        Dispute,
        Submit,
        WithdrawCreditOfStaking,
        WithdrawStake,
        Apply
    }

    Reentry internal armed;
    uint256 internal reentryId;
    uint256 internal reentryAmount;

    /// @dev Whether the escrow is executing a call that ends a task.
    bool internal escrowEnters;
    bool internal reentered;
    bytes internal reentryRefusal;
    /// @dev Whether the escrow's part of the reentrant call was executed and then reverted, because
    /// the staking contract was locked.
    bool internal undone;

    function _reentryTarget(Reentry reentry) internal view returns (address) {
        return reentry < Reentry.WithdrawCreditOfStaking ? address(escrow) : address(staking);
    }

    function _reentryCall() internal view returns (bytes memory) {
        if (armed == Reentry.Cancel) return abi.encodeCall(escrow.cancelTask, (reentryId));
        if (armed == Reentry.Settle) return abi.encodeCall(escrow.settle, (reentryId));
        if (armed == Reentry.Dispute) return abi.encodeCall(escrow.disputeTask, (reentryId));
        if (armed == Reentry.Submit) {
            return abi.encodeCall(escrow.submitTask, (reentryId, bytes32(uint256(1))));
        }
        if (armed == Reentry.WithdrawStake) {
            return abi.encodeCall(staking.withdrawStake, (reentryId));
        }
        if (armed == Reentry.Apply) {
            return abi.encodeCall(staking.lockApplicationStake, (reentryId, reentryAmount));
        }
        return abi.encodeCall(escrow.withdrawCredit, (address(reenterer)));
    }

    function _enterEscrow() internal override {
        escrowEnters = true;
    }

    function _received(address custody, address payee) internal override {
        bool hooked = fault == FickleToken.Fault.Hook && payee == address(reenterer);
        if (!hooked || armed == Reentry.None) return;
        Reentry reentry = armed;
        (armed, reentered) = (Reentry.None, true);
        address target = _reentryTarget(reentry);
        bool locked = target == custody || (target == address(escrow) && escrowEnters);
        if (!locked && custody == address(staking)) {
            reentryRefusal = _refusalWithoutStakes(reentry);
        } else {
            reentryRefusal = locked ? _guarded() : ALLOWED;
        }
        if (reentryRefusal.length == 0) reentryRefusal = _reenter(reentry);
    }

    /// @dev Returns the error of a call that ends a task and must return a stake while the staking
    /// contract is locked.
    function _refusalWithoutStakes(Reentry reentry) private returns (bytes memory refusal) {
        if (reentry == Reentry.Settle) refusal = _settleRefusal(reentryId);
        else if (reentry == Reentry.Cancel) refusal = _cancelRefusal(address(reenterer), reentryId);
        else return ALLOWED;
        if (refusal.length != 0 || _isPosted(reentryId)) return refusal;
        undone = true;
        return _guarded();
    }

    function _guarded() private pure returns (bytes memory) {
        return
            abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
    }

    function _reenter(Reentry reentry) private returns (bytes memory) {
        address self = address(reenterer);
        if (reentry == Reentry.Cancel) return _cancelled(self, reentryId);
        if (reentry == Reentry.Settle) return _settled(reentryId);
        if (reentry == Reentry.Dispute) return _disputed(self, reentryId);
        if (reentry == Reentry.Submit) return _submitted(self, reentryId, bytes32(uint256(1)));
        if (reentry == Reentry.WithdrawStake) return _stakeWithdrawn(self, reentryId);
        if (reentry == Reentry.Apply) {
            return _applied(self, reentryId, reentryAmount, Permit.None);
        }
        return _withdrawnCredit(_reentryTarget(reentry), self);
    }
}
