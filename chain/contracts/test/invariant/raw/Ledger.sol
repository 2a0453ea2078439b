// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {IRewardDistributor} from "../../../src/interfaces/IRewardDistributor.sol";
import {ITokenCustody} from "../../../src/interfaces/ITokenCustody.sol";
import {ITreasury} from "../../../src/interfaces/ITreasury.sol";
import {Vm} from "../../utils/Vm.sol";
import {BookToken} from "./BookToken.sol";
import {Rules} from "./Rules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @dev Reconstructs tasks, stakes and balances from the log only. Each step must be allowed by
/// `Rules`, each token transfer must be announced, and each announcement must be followed by its
/// transfer. The contracts' views are not called.
///
/// Foundry also records the logs of reverted calls. An entry that requires a second entry (a
/// charge, an activation, a transfer) therefore counts only together with it. If a valid entry were
/// dropped by mistake, the result would differ from the views.
contract Ledger is Rules {
    address private immutable token;
    /// @dev The transaction origin during set-up, when the test contract makes calls as other
    /// accounts.
    address private immutable setUpOrigin = tx.origin;

    constructor(
        address token_,
        address escrow_,
        address staking_,
        address treasury_,
        address rewards_,
        address treasurer_
    ) Rules(escrow_, staking_, treasury_, rewards_, treasurer_) {
        token = token_;
    }

    /// @dev Processes all log entries since the last call, using the current block time for each.
    function fold(Vm.Log[] memory logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            address emitter = logs[i].emitter;
            bytes32 topic = logs[i].topics[0];
            if (emitter == token) _foldToken(logs[i], topic);
            else if (emitter == escrow) _foldEscrow(logs, i, topic);
            else if (emitter == staking) _foldStaking(logs, i, topic);
            else if (emitter == treasury) _foldTreasury(logs, i, topic);
            else if (emitter == rewards) _foldRewards(logs, i, topic);
            _foldCredit(logs, i, topic);
        }
        _require(unpaid == 0, "announced, but neither paid nor credited");
        _require(uncharged == 0, "announced, but never charged");
        _require(undecidedStakes == 0, "task ended, stake not settled");
    }

    function _foldToken(Vm.Log memory log, bytes32 topic) private {
        if (topic != IERC20.Transfer.selector) return;
        _move(_account(log, 1), _account(log, 2), abi.decode(log.data, (uint256)));
    }

    function _foldEscrow(Vm.Log[] memory logs, uint256 i, bytes32 topic) private {
        Vm.Log memory log = logs[i];
        if (topic == IEscrow.TaskPosted.selector) {
            _foldPost(logs, i);
        } else if (topic == IEscrow.TaskCreated.selector) {
            bytes32 activated = IApplicationStaking.ApplicationStakeActivated.selector;
            if (!_isTopic(logs, i + 2, activated)) return;
            _accept(uint256(log.topics[1]), _account(log, 3), uint256(logs[i + 2].topics[1]));
        } else if (topic == IEscrow.TaskSubmitted.selector) {
            _submit(uint256(log.topics[1]), _account(log, 2));
        } else if (topic == IEscrow.AgentApproved.selector) {
            _approve(uint256(log.topics[1]));
        } else if (topic == IEscrow.TaskDisputed.selector) {
            _dispute(uint256(log.topics[1]), _account(log, 2));
        } else if (topic == Pausable.Paused.selector || topic == Pausable.Unpaused.selector) {
            paused = topic == Pausable.Paused.selector;
        } else {
            _foldEnd(logs, i, topic);
        }
    }

    function _foldPost(Vm.Log[] memory logs, uint256 i) private {
        Vm.Log memory log = logs[i];
        (uint256 amount, uint16 fee) = abi.decode(log.data, (uint256, uint16));
        address agent = _account(log, 2);
        uint256 next = _isTopic(logs, i + 1, IEscrow.TaskTerms.selector) ? i + 2 : i + 1;
        if (!_moves(logs, next, agent, escrow, amount)) return;
        _requireOrigin(logs, next, agent);
        _post(uint256(log.topics[1]), agent, amount, fee);
    }

    function _foldEnd(Vm.Log[] memory logs, uint256 i, bytes32 topic) private {
        Vm.Log memory log = logs[i];
        if (topic == IEscrow.SubmissionApproved.selector) {
            _rule(uint256(log.topics[1]), true);
        } else if (topic == IEscrow.SubmissionRejected.selector) {
            _rule(uint256(log.topics[1]), false);
        } else if (topic == IEscrow.TaskReleased.selector) {
            (uint256 paid, uint256 fee) = abi.decode(log.data, (uint256, uint256));
            _release(uint256(log.topics[1]), _account(log, 2), paid, fee, _origin(logs, i));
        } else if (topic == IEscrow.TaskRefunded.selector) {
            _refund(uint256(log.topics[1]), abi.decode(log.data, (uint256)));
        } else if (topic == IEscrow.TaskCancelled.selector) {
            (uint256 amount, uint256 fee) = abi.decode(log.data, (uint256, uint256));
            _cancel(uint256(log.topics[1]), amount, fee, _origin(logs, i));
        }
    }

    function _foldStaking(Vm.Log[] memory logs, uint256 i, bytes32 topic) private {
        Vm.Log memory log = logs[i];
        if (topic == IApplicationStaking.ApplicationStakeLocked.selector) {
            _foldLock(logs, i);
        } else if (topic == IApplicationStaking.ApplicationStakeReturned.selector) {
            _return(uint256(log.topics[1]), abi.decode(log.data, (uint256)));
        } else if (topic == IApplicationStaking.ApplicationWithdrawn.selector) {
            uint256 amount = abi.decode(log.data, (uint256));
            _withdraw(uint256(log.topics[1]), amount, _origin(logs, i));
        } else if (topic == IApplicationStaking.ApplicationRejected.selector) {
            _reject(uint256(log.topics[1]), _origin(logs, i));
        } else if (topic == IApplicationStaking.ApplicationStakeForfeited.selector) {
            _forfeit(uint256(log.topics[1]), abi.decode(log.data, (uint256)));
        }
    }

    function _foldLock(Vm.Log[] memory logs, uint256 i) private {
        Vm.Log memory log = logs[i];
        (uint256 amount, uint256 expiresAt) = abi.decode(log.data, (uint256, uint256));
        address human = _account(log, 2);
        if (!_moves(logs, i + 2, human, staking, amount)) return;
        _requireOrigin(logs, i + 2, human);
        uint256 taskId = uint256(logs[i + 1].topics[2]);
        _lock(uint256(log.topics[1]), taskId, human, amount, expiresAt);
    }

    function _foldTreasury(Vm.Log[] memory logs, uint256 i, bytes32 topic) private {
        if (topic != ITreasury.Withdrawn.selector) return;
        address to = _account(logs[i], 2);
        uint256 amount = abi.decode(logs[i].data, (uint256));
        if (_moves(logs, i + 1, treasury, to, amount)) _spend(to, amount, _origin(logs, i));
    }

    function _foldRewards(Vm.Log[] memory logs, uint256 i, bytes32 topic) private {
        if (topic != IRewardDistributor.Claimed.selector) return;
        address account = _account(logs[i], 1);
        (uint256 amount, uint256 cumulative) = abi.decode(logs[i].data, (uint256, uint256));
        if (_moves(logs, i + 1, rewards, account, amount)) _reward(account, amount, cumulative);
    }

    function _foldCredit(Vm.Log[] memory logs, uint256 i, bytes32 topic) private {
        Vm.Log memory log = logs[i];
        if (topic == ITokenCustody.Credited.selector) {
            _credit(log.emitter, _account(log, 1), abi.decode(log.data, (uint256)));
        } else if (topic == ITokenCustody.CreditWithdrawn.selector) {
            address payee = _account(log, 1);
            uint256 amount = abi.decode(log.data, (uint256));
            if (!_moves(logs, i + 1, log.emitter, payee, amount)) return;
            _uncredit(log.emitter, payee, amount);
        }
    }

    // Parsing the log.

    /// @dev Whether entry `i` is a transfer of this amount that a custodian contract made.
    function _moves(Vm.Log[] memory logs, uint256 i, address from, address to, uint256 amount)
        private
        view
        returns (bool)
    {
        if (!_isTopic(logs, i, IERC20.Transfer.selector)) return false;
        if (!_isTopic(logs, i + 1, BookToken.MovedBy.selector)) return false;
        (address caller,) = abi.decode(logs[i + 1].data, (address, address));
        return isCustodian[caller] && _account(logs[i], 1) == from && _account(logs[i], 2) == to
            && abi.decode(logs[i].data, (uint256)) == amount;
    }

    /// @dev Requires that the charged account is the transaction's caller.
    function _requireOrigin(Vm.Log[] memory logs, uint256 i, address payer) private {
        address origin = _origin(logs, i);
        _require(origin == address(0) || origin == payer, "charged another account");
    }

    /// @dev Returns the transaction origin of entry `i`, taken from the next token transfer in the
    /// log. Returns the zero address during set-up, or if no transfer follows because the amount
    /// was credited.
    function _origin(Vm.Log[] memory logs, uint256 i) private view returns (address) {
        for (uint256 j = i + 1; j < logs.length && j < i + 4; ++j) {
            if (logs[j].topics[0] == ITokenCustody.Credited.selector) return address(0);
            if (logs[j].topics[0] != BookToken.MovedBy.selector) continue;
            (, address origin) = abi.decode(logs[j].data, (address, address));
            return origin == setUpOrigin ? address(0) : origin;
        }
        return address(0);
    }

    function _isTopic(Vm.Log[] memory logs, uint256 i, bytes32 topic) private pure returns (bool) {
        return i < logs.length && logs[i].topics[0] == topic;
    }

    function _account(Vm.Log memory log, uint256 topic) private pure returns (address) {
        return address(uint160(uint256(log.topics[topic])));
    }
}
