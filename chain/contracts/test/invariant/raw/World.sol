// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Escrow} from "../../../src/Escrow.sol";
import {RewardDistributor} from "../../../src/RewardDistributor.sol";
import {bound, signatureOf, vm} from "../../utils/Vm.sol";
import {PanelBook, TaskBook} from "./Books.sol";
import {Ledger} from "./Ledger.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Actions that random arguments cannot produce: advancing the clock, donations and valid
/// signatures. It updates the ledger before it advances the clock, and never reverts.
contract World {
    uint256 private constant SIGNERS = 6;
    uint256 private constant FIRST_KEY = 0xE1;
    uint256 private constant VOUCHER_KEY = 0xF1;

    Ledger private immutable ledger;
    Escrow private immutable escrow;
    RewardDistributor private immutable rewards;
    IERC20 private immutable token;
    /// @dev Keys of former, current and future validators, sorted by address.
    uint256[] private signerKeys;

    constructor(Ledger ledger_, Escrow escrow_, RewardDistributor rewards_, IERC20 token_) {
        (ledger, escrow, rewards, token) = (ledger_, escrow_, rewards_, token_);
        for (uint256 key = FIRST_KEY; key < FIRST_KEY + SIGNERS; ++key) {
            _insertSorted(key);
        }
        uint256 first = _membersOf(escrow);
        ledger.seat(first, escrow.quorumOf(1));
    }

    modifier foldsLog() {
        ledger.fold(vm.getRecordedLogs());
        _;
    }

    /// @dev Advances the clock: usually by hours, sometimes by more than a window, rarely by more
    /// than all windows.
    function pass(uint256 time) external foldsLog {
        uint256[6] memory spans =
            [uint256(1 hours), 1 hours, 13 hours, 25 hours, 4 days, time / 64 % 38 days + 1];
        vm.warp(block.timestamp + spans[time % 6]);
    }

    function passToEdge(uint256 taskId, uint256 edge) external foldsLog {
        _passToEdge(bound(taskId, 0, ledger.taskCount()), edge);
    }

    function donate(uint256 amount, uint256 chest) external foldsLog {
        address[4] memory targets = [
            address(escrow),
            address(escrow.applicationStaking()),
            escrow.treasury(),
            address(rewards)
        ];
        _try(address(token), abi.encodeCall(token.transfer, (targets[chest % 4], amount % 1 ether)));
    }

    /// @dev Submits a verdict from an arbitrary account, signed by some validators, usually those
    /// of the task's panel.
    function rule(uint256 taskId, bool approved, uint256 signers) external foldsLog {
        taskId = bound(taskId, 0, ledger.taskCount());
        if (signers / 4 % 3 == 0) _passToEdge(taskId, signers / 12);
        PanelBook memory panel = ledger.panelBook(ledger.taskBook(taskId).panel);
        uint256 chosen = signers % 4 == 0 ? signers / 4 % 2 ** SIGNERS : panel.validators;
        bytes[] memory signatures = _signed(escrow.verdictDigest(taskId, approved), chosen);
        ledger.sign(taskId, approved, chosen);
        bytes memory call = approved
            ? abi.encodeCall(escrow.approveSubmission, (taskId, signatures))
            : abi.encodeCall(escrow.rejectSubmission, (taskId, signatures));
        _try(address(escrow), call);
    }

    /// @dev Adds or removes a validator as the owner, or changes the quorum.
    function reform(uint256 pen, uint8 quorum) external foldsLog {
        address validator = vm.addr(signerKeys[pen % SIGNERS]);
        address[] memory one = new address[](1);
        one[0] = validator;
        address[] memory none = new address[](0);
        bool seated = escrow.isValidator(validator);
        (address[] memory added, address[] memory removed) = seated ? (none, one) : (one, none);
        vm.prank(escrow.owner());
        bytes memory call = abi.encodeCall(escrow.changePanel, (added, removed, quorum % 5));
        if (_try(address(escrow), call)) _seat(pen % SIGNERS, quorum % 5);
    }

    /// @dev Submits a voucher from the honest signer, from an arbitrary account.
    function claim(address account, uint256 cumulative) external foldsLog {
        cumulative = bound(cumulative, 0, 400 ether);
        uint256 deadline = block.timestamp + 1 days;
        bytes32 digest = rewards.claimDigest(account, cumulative, deadline);
        bytes memory voucher = signatureOf(VOUCHER_KEY, digest);
        _try(
            address(rewards),
            abi.encodeCall(rewards.claim, (account, cumulative, deadline, voucher))
        );
    }

    /// @dev Moves the clock to the start or end of one of the task's windows, or to one second
    /// before or after it.
    function _passToEdge(uint256 taskId, uint256 edge) private {
        TaskBook memory task = ledger.taskBook(taskId);
        uint256[4] memory edges = [
            task.submittedAt + 24 hours,
            ledger.dueOf(taskId),
            task.lastActivityAt + 30 days,
            task.lastActivityAt + 37 days
        ];
        uint256 time = edges[edge % 4] + edge / 4 % 3;
        if (task.submittedAt != 0 && time > block.timestamp + 1) vm.warp(time - 1);
    }

    /// @dev Makes a call that may revert. A reverted call has no effect, although Foundry records
    /// its log.
    function _try(address target, bytes memory call) private returns (bool success) {
        (success,) = target.call(call);
        if (!success) vm.getRecordedLogs();
    }

    function _seat(uint256 pen, uint256 quorum) private {
        uint256 seats = ledger.panelBook(ledger.panelCount()).validators;
        ledger.seat(seats ^ (2 ** pen), quorum);
    }

    function _membersOf(Escrow of_) private view returns (uint256 members) {
        for (uint256 i = 0; i < SIGNERS; ++i) {
            if (of_.isValidator(vm.addr(signerKeys[i]))) members |= 2 ** i;
        }
    }

    function _signed(bytes32 digest, uint256 chosen)
        private
        view
        returns (bytes[] memory signatures)
    {
        signatures = new bytes[](SIGNERS);
        uint256 count = 0;
        for (uint256 i = 0; i < SIGNERS; ++i) {
            if (chosen >> i & 1 == 1) signatures[count++] = signatureOf(signerKeys[i], digest);
        }
        assembly ("memory-safe") {
            mstore(signatures, count)
        }
    }

    function _insertSorted(uint256 key) private {
        signerKeys.push(key);
        for (
            uint256 i = signerKeys.length - 1;
            i > 0 && vm.addr(signerKeys[i]) < vm.addr(signerKeys[i - 1]);
            --i
        ) {
            (signerKeys[i], signerKeys[i - 1]) = (signerKeys[i - 1], signerKeys[i]);
        }
    }
}
