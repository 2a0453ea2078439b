// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RewardDistributor} from "../../src/RewardDistributor.sol";
import {Treasury} from "../../src/Treasury.sol";
import {IAdministration} from "../../src/interfaces/IAdministration.sol";
import {Books, Money} from "../utils/Books.sol";
import {deploy} from "../utils/Deploy.sol";
import {vm} from "../utils/Vm.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// @dev Attack: an attacker takes over the ownership by theft or through a mistake of the owner (a
/// wrong address, renouncing while paused), or the guardian does more than pause. Defence:
/// ownership is transferred only in two steps, to an account that accepts it. It cannot be
/// renounced, so the contracts cannot remain paused without an owner, and the treasury's tokens
/// cannot be lost. The guardian can only pause and unpause.
contract OwnershipTest is Books {
    RewardDistributor private rewards;

    function setUp() public override {
        super.setUp();
        bytes memory arguments = abi.encode(token, owner, validators[0], 1 ether);
        rewards = RewardDistributor(deploy("RewardDistributor", arguments));
        _give(address(treasury), AMOUNT);
    }

    function test_InTwoSteps() external {
        Ownable2Step[3] memory owned = _owned();
        for (uint256 i = 0; i < owned.length; ++i) {
            vm.prank(owner);
            owned[i].transferOwnership(rival);
            _assertNotOwner(owned[i], rival, abi.encodeCall(Ownable2Step.transferOwnership, rival));
            _assertNotOwner(owned[i], stranger, abi.encodeCall(Ownable2Step.acceptOwnership, ()));
            vm.assertEq(owned[i].owner(), owner);

            vm.prank(rival);
            owned[i].acceptOwnership();
            vm.assertEq(owned[i].owner(), rival);
            vm.assertEq(owned[i].pendingOwner(), address(0));
            _assertNotOwner(owned[i], owner, abi.encodeCall(Ownable2Step.transferOwnership, owner));
        }
    }

    /// @dev The owner can replace a wrong pending owner, which then can no longer accept.
    function test_PendingOwnerReplaced() external {
        Ownable2Step[3] memory owned = _owned();
        for (uint256 i = 0; i < owned.length; ++i) {
            vm.prank(owner);
            owned[i].transferOwnership(stranger);
            vm.prank(owner);
            owned[i].transferOwnership(address(0));
            _assertNotOwner(owned[i], stranger, abi.encodeCall(Ownable2Step.acceptOwnership, ()));
            vm.assertEq(owned[i].owner(), owner);
        }
    }

    function test_CannotBeRenounced() external {
        Ownable2Step[3] memory owned = _owned();
        bytes memory renounce = abi.encodeCall(Ownable.renounceOwnership, ());
        _escrowAs(guardian).pause();
        for (uint256 i = 0; i < owned.length; ++i) {
            vm.expectRevert(IAdministration.OwnershipNotRenounceable.selector);
            vm.prank(owner);
            owned[i].renounceOwnership();
            _assertNotOwner(owned[i], stranger, renounce);
            _assertNotOwner(owned[i], guardian, renounce);
        }
    }

    /// @dev A stolen guardian key can block deposits until the owner unpauses, but no exit.
    function test_GuardianOnlyPauses() external {
        (uint256 active, uint256 approved) = (_active(), _approved());
        _assertNotOwner(escrow, guardian, abi.encodeCall(IAdministration.setPlatformFee, (2000)));
        _assertNotOwner(
            escrow,
            guardian,
            abi.encodeCall(IAdministration.changePanel, (_list(guardian), validators, 1))
        );
        _assertNotOwner(
            escrow, guardian, abi.encodeCall(Ownable2Step.transferOwnership, (guardian))
        );
        _assertNotOwner(escrow, guardian, abi.encodeCall(Ownable2Step.acceptOwnership, ()));
        _assertNotOwner(rewards, guardian, abi.encodeCall(RewardDistributor.setBudget, (1)));
        _assertNotOwner(rewards, guardian, abi.encodeCall(RewardDistributor.setSigner, (guardian)));
        _assertNotOwner(
            treasury, guardian, abi.encodeCall(Treasury.withdraw, (token, guardian, AMOUNT))
        );

        _escrowAs(guardian).pause();
        Money memory books = _money();
        _escrowAs(agent).cancelTask(active);
        _bookCancel(books);
        escrow.approveSubmission(approved, _verdict(approved, true));
        _bookRelease(books);
        _assertMoney(books);

        _escrowAs(owner).unpause();
        _post();
        books.agent -= AMOUNT;
        books.escrow += AMOUNT;
        _assertMoney(books);
        vm.assertEq(address(escrow.guardian()), guardian);
    }

    /// @dev Accounts other than the owner and the guardian cannot pause.
    function test_OthersCannotPause() external {
        address[5] memory others = [agent, human, stranger, validators[0], address(treasury)];
        for (uint256 i = 0; i < others.length; ++i) {
            bytes memory reason =
                abi.encodeWithSelector(IAdministration.NotOwnerOrGuardian.selector, others[i]);
            vm.expectRevert(reason);
            _escrowAs(others[i]).pause();
            vm.expectRevert(reason);
            _escrowAs(others[i]).unpause();
        }
    }

    function _owned() private view returns (Ownable2Step[3] memory) {
        return [Ownable2Step(address(escrow)), treasury, rewards];
    }

    function _assertNotOwner(Ownable2Step owned, address caller, bytes memory call) private {
        bytes4 selector = Ownable.OwnableUnauthorizedAccount.selector;
        _assertRefused(caller, address(owned), call, abi.encodeWithSelector(selector, caller));
    }
}
